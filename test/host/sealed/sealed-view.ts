import { expect, it } from 'vitest';
import type { SmokeResult } from '#smoke/smoke-test.ts';
import type { Status } from '../../../appliance/server/progress/status.ts';
import { relayName, type SealedPremises } from './sealed-premises.ts';

/** Hosts that a thin bundle and its stack use. */
export const downloads = [
  'deb.debian.org:80',
  'registry-1.docker.io:443',
  'ghcr.io:443',
  'github.com:443',
  'api.provider.example:443',
];

interface SealedView {
  readonly hasProxy: boolean;
  /** What the proxy must have logged. */
  readonly hosts?: readonly string[];
}

/** Tests that a server came up and works over its way out, and that no packet left directly. */
export function itComesUp(
  sealed: () => { readonly server: SealedPremises; readonly status: Status },
  { hasProxy, hosts = [...downloads, 'release.example.net:443'] }: SealedView,
): void {
  const host = () => sealed().server.premises.host;

  it('finishes every stage', () => {
    for (const { name, state } of sealed().status.stages) {
      expect(['applied', 'kept'], name).toContain(state);
    }
  });

  it('passes its smoke tests', async () => {
    const { stdout, stderr } = await host().run('landfall smoke --json');
    const results: SmokeResult[] = JSON.parse(stdout || stderr);
    expect(results.filter(({ outcome }) => outcome === 'failed')).toEqual([]);
    expect(results.filter(({ outcome }) => outcome === 'passed').length).toBeGreaterThan(5);
  });

  it('reaches the provider with its relay', async () => {
    const script = `key=$(cat /etc/landfall/secrets/RELAY_KEY_OWNER)
      curl -sSk --noproxy '*' --resolve ${relayName}:443:127.0.0.1 \\
        -H "authorization: Bearer $key" -H 'content-type: application/json' \\
        -d '{"model":"stand-in-1","messages":[{"role":"user","content":"Hello"}]}' \\
        https://${relayName}/openai/v1/chat/completions`;
    expect(await host().output(script)).toContain('Hello from the provider');
  });

  if (hasProxy) {
    it('used the proxy for every host', async () => {
      const log = (await sealed().server.way.log()).join('\n');
      for (const name of hosts) {
        const [bare = '', port] = name.split(':');
        expect(log, name).toContain(port === '80' ? bare : name);
      }
    });
  }

  it('sent no packet directly, which would have been counted', async () => {
    const { uplink } = sealed().server;
    expect(await uplink.dropped()).toEqual([]);
    await host().run("curl -s -m 1 --noproxy '*' https://ghcr.io/");
    const counted = await uplink.dropped();
    expect(counted).toContainEqual(expect.stringMatching(/^203\.0\.113\.1 tcp 443: \d+$/));
  });
}
