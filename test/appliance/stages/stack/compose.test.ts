import { describe, expect, it } from 'vitest';
import { compose } from '../../../../appliance/stages/stack/compose.ts';
import { TemporaryHost } from '../../temporary-host.ts';

describe('the command line of Compose', () => {
  it('contains the overrides of the server that exist in its stack', async () => {
    const host = TemporaryHost.with(
      {
        'release/compose/gateway/ipv6.yaml': '',
        'var/lib/landfall/stack/overrides': 'start-interval.yaml\ngateway/ipv6.yaml\n',
      },
      { 'docker compose': '' },
    );
    const release = host.path('release');
    await compose(host, release, ['ps']);
    expect(host.ran[0]?.match(/--file (\S+)/g)).toEqual([
      `--file ${release}/compose/compose.yaml`,
      `--file ${release}/compose/gateway/ipv6.yaml`,
    ]);
  });
});
