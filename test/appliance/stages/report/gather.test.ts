import { describe, expect, it } from 'vitest';
import { siteSchema } from '#contract/site/site.ts';
import { Journal, type JournalEntry } from '../../../../appliance/server/stage/journal.ts';
import {
  recordsOf,
  stageTimes,
  tunnelsOf,
  urlsOf,
} from '../../../../appliance/stages/report/gather.ts';
import { smallSite } from '../../context.ts';
import { TemporaryHost } from '../../temporary-host.ts';

async function timesOf(...entries: ReadonlyArray<Omit<JournalEntry, 'at' | 'release'>>) {
  const host = TemporaryHost.with({});
  const journal = new Journal(host);
  for (const entry of entries) await journal.add({ release: '1.0.0', ...entry });
  return await stageTimes(host);
}

describe('the time of a stage', () => {
  it('reads the times of the stages from the journal, in the order of the stages', async () => {
    expect(
      await timesOf(
        { stage: 'ssh', event: 'applied', took: 3000, own: 20 },
        { stage: 'users', event: 'applied', took: 1000, own: 10 },
      ),
    ).toEqual({
      stages: [
        { name: 'users', title: 'users', outcome: 'applied', took: 1000, own: 10 },
        { name: 'ssh', title: 'ssh', outcome: 'applied', took: 3000, own: 20 },
      ],
      took: 4000,
      own: 30,
    });
  });

  it('returns the time of the run that applied a stage, not of later runs', async () => {
    const { stages } = await timesOf(
      { stage: 'images', event: 'started' },
      { stage: 'images', event: 'applied', took: 90_000, own: 500 },
      { stage: 'images', event: 'kept', took: 700, own: 20 },
    );
    expect(stages).toMatchObject([{ outcome: 'applied', took: 90_000 }]);
  });

  it('returns the time of the check if the stage had nothing to do', async () => {
    const { stages } = await timesOf({ stage: 'images', event: 'kept', took: 700, own: 20 });
    expect(stages).toMatchObject([{ outcome: 'kept', took: 700 }]);
  });

  it('does not include failed and interrupted runs', async () => {
    const { stages, took } = await timesOf(
      { stage: 'stack', event: 'started' },
      { stage: 'tls', event: 'failed', took: 5000, own: 10, code: 'TLS_MATERIAL' },
    );
    expect(stages).toEqual([]);
    expect(took).toBe(0);
  });
});

const site = (parts: object) => siteSchema.parse({ ...smallSite, ...parts });
const login = ['ssh', 'ops@203.0.113.5'];
const named = site({
  hosts: { ui: 'chat.example.com', relay: 'api.example.com', lobe: 'lobe.example.com' },
  tls: { mode: 'acme', accept_terms: true },
});

describe('public URLs', () => {
  it('use the host names, without disabled components', () => {
    expect(urlsOf(named, '203.0.113.5')).toEqual([
      { part: 'chat UI', url: 'https://chat.example.com/' },
      { part: 'relay for API clients', url: 'https://api.example.com/' },
    ]);
  });

  it('lists the UI under the address as public URL without host names', () => {
    expect(urlsOf(smallSite, '203.0.113.5')).toEqual([
      { part: 'chat UI', url: 'https://203.0.113.5/' },
    ]);
    expect(urlsOf(smallSite, '2001:db8::5')[0]?.url).toBe('https://[2001:db8::5]/');
  });

  it('use http if TLS is off', () => {
    expect(urlsOf(site({ tls: { mode: 'off' } }), '203.0.113.5')[0]?.url).toBe(
      'http://203.0.113.5/',
    );
  });
});

describe('a component without a host name', () => {
  it('prints a tunnel to the port of a component without a host name', () => {
    expect(tunnelsOf(named, login)).toEqual([
      {
        part: 'HTTP proxy',
        command: 'ssh -N -L 127.0.0.1:8888:127.0.0.1:8888 ops@203.0.113.5',
        url: 'http://127.0.0.1:8888/',
      },
      {
        part: 'documentation',
        command: 'ssh -N -L 127.0.0.1:8090:127.0.0.1:8090 ops@203.0.113.5',
        url: 'http://127.0.0.1:8090/',
      },
    ]);
  });

  it('uses the port of the site and the SSH port of the server', () => {
    const other = site({
      hosts: { docs: 'docs.example.com' },
      ports: { ui: 4000 },
      components: { chat: true },
      tls: { mode: 'internal' },
    });
    const tunnels = tunnelsOf(other, ['ssh', '-p', '2222', 'ops@203.0.113.5']);
    expect(tunnels.map(({ command }) => command)).toEqual([
      'ssh -N -L 127.0.0.1:4000:127.0.0.1:4000 -p 2222 ops@203.0.113.5',
      'ssh -N -L 127.0.0.1:3001:127.0.0.1:3001 -p 2222 ops@203.0.113.5',
      'ssh -N -L 127.0.0.1:8080:127.0.0.1:8080 -p 2222 ops@203.0.113.5',
      'ssh -N -L 127.0.0.1:8888:127.0.0.1:8888 -p 2222 ops@203.0.113.5',
    ]);
  });

  // The report listed a tunnel to the UI although the UI was public under the address.
  it('prints no tunnel to the UI if it is public under the address', () => {
    const parts = tunnelsOf(smallSite, login).map(({ part }) => part);
    expect(parts).toEqual(['HTTP proxy', 'documentation']);
  });

  it('names components in the language of the site', () => {
    const zh = site({ language: 'zh' });
    expect(tunnelsOf(zh, login).map(({ part }) => part)).toContain('HTTP 代理');
    expect(urlsOf(zh, '203.0.113.5').map(({ part }) => part)).toContain('聊天界面');
  });

  // The report listed a tunnel to a relay that was not running.
  it('prints a tunnel to the relay only if the relay is enabled', () => {
    const partsOf = (parts: object) => tunnelsOf(site(parts), login).map(({ part }) => part);
    const openai = { base_url: 'https://api.openai.com/v1' };
    expect(partsOf({})).not.toContain('relay for API clients');
    expect(partsOf({ providers: { openai } })).toContain('relay for API clients');
  });

  it('never has a tunnel to Ollama, which has no authentication', () => {
    expect(JSON.stringify(tunnelsOf(smallSite, login))).not.toContain('11434');
  });
});

describe('the DNS records', () => {
  it('lists one DNS record per type and name', () => {
    expect(recordsOf(named, '203.0.113.5', '2001:db8::5')).toEqual([
      { name: 'chat.example.com', type: 'A', value: '203.0.113.5' },
      { name: 'chat.example.com', type: 'AAAA', value: '2001:db8::5' },
      { name: 'api.example.com', type: 'A', value: '203.0.113.5' },
      { name: 'api.example.com', type: 'AAAA', value: '2001:db8::5' },
    ]);
  });

  it('lists only DNS records of the IP versions that the server has', () => {
    expect(recordsOf(named, '203.0.113.5', undefined).map(({ type }) => type)).toEqual(['A', 'A']);
    expect(recordsOf(named, undefined, undefined)).toEqual([]);
  });

  it('list a host of two components once', () => {
    const shared = site({ hosts: { ui: 'one.example.com', docs: 'one.example.com' } });
    expect(recordsOf(shared, '203.0.113.5', undefined)).toHaveLength(1);
  });

  it('lists no DNS records if the site has no host names', () => {
    expect(recordsOf(smallSite, '203.0.113.5', '2001:db8::5')).toEqual([]);
  });
});
