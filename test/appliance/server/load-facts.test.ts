import { describe, expect, it } from 'vitest';
import { formatProblem } from '#contract/text/problem.ts';
import { readSite } from '../../../appliance/server/load-facts.ts';
import { TemporaryHost } from '../temporary-host.ts';

const path = 'etc/landfall/site.json';
const site = {
  release: ['https://example.com/'],
  admin: { user: 'ops', ssh_keys: ['ssh-ed25519 AAAA'] },
};

/** Returns the problems of a text in the file of the site. */
async function problemsOf(text: string): Promise<string[]> {
  const error: unknown = await readSite(TemporaryHost.with({ [path]: text })).catch((e) => e);
  expect(error).toMatchObject({ code: 'STATE_INVALID', message: `/${path} is not a valid site` });
  return (error as { problems: Parameters<typeof formatProblem>[0][] }).problems.map((each) =>
    formatProblem(each),
  );
}

describe('readSite', () => {
  it('returns the site with its defaults', async () => {
    const host = TemporaryHost.with({ [path]: JSON.stringify(site) });
    expect(await readSite(host)).toMatchObject({ tls: { mode: 'internal' } });
  });

  it('names the nearest key for a typo, with its position', async () => {
    const text = JSON.stringify({ ...site, host: { ui: 'chat.example.com' } }, null, 2);
    expect(await problemsOf(text)).toEqual([
      `/${path}:11:3  host is not a known key (Did you mean hosts?)`,
    ]);
  });

  it('explains a value of the wrong type', async () => {
    const text = JSON.stringify({ ...site, ports: { ui: 'x' } });
    expect((await problemsOf(text)).join('\n')).toContain('ports.ui must be');
    expect((await problemsOf(text)).join('\n')).not.toContain('Invalid input');
  });

  it('shows where JSON is invalid', async () => {
    const text = JSON.stringify(site, null, 2).replace(/\n}$/, ',\n}');
    expect((await problemsOf(text))[0]).toMatch(/site\.json:\d+:\d+ {2}property name expected/);
  });

  it('rejects a missing file', async () => {
    expect(await problemsOf('')).not.toEqual([]);
  });
});
