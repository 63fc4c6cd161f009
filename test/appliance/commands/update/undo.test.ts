import { beforeEach, describe, expect, it, vi } from 'vitest';
import { encodeRelease } from '#contract/bundle/release.ts';
import { decodeUtf8 } from '#contract/text/bytes.ts';
import { encodeAnchor, firstAnchor } from '#contract/trust/anchor.ts';
import { rollBack } from '../../../../appliance/commands/update/undo.ts';
import { makeRelease, tinyFiles } from '../../../simulator/bundle.ts';
import { recoveryKey, releaseKey } from '../../../simulator/keys.ts';
import { contextFor } from '../../context.ts';
import { TemporaryHost } from '../../temporary-host.ts';

const anchor = firstAnchor({ release: [releaseKey.public], recovery: recoveryKey.public });

/** A server that was updated from 1.0.0 to 1.1.0. @param floor the oldest release that its keys allow */
function updatedServer(floor: string | null): TemporaryHost {
  const update = {
    ...{ at: '2026-11-01T12:00:00.000Z', id: 'a', kind: 'update', from: '1.0.0', to: '1.1.0' },
    ...{ manifest: '0'.repeat(64), outcome: 'committed', took: 1, closed: null, reason: null },
  };
  const earlier = { ...makeRelease(tinyFiles), version: '1.0.0' };
  return TemporaryHost.with(
    {
      // Read beside the site, which is missing: the first error of the two would win.
      'etc/os-release': 'ID=debian\nVERSION_ID="13"\n',
      'etc/landfall/trust.json': encodeAnchor({ ...anchor, floor }),
      'var/lib/landfall/update/history.jsonl': `${JSON.stringify(update)}\n`,
      'opt/landfall/releases/1.0.0-amd64/release.json': decodeUtf8(encodeRelease(earlier)),
    },
    {},
  );
}

const flags = { yes: true, maxPause: 60 };
const factsOf = (host: TemporaryHost) => contextFor(host, { release: { version: '1.1.0' } });

beforeEach(() => void vi.spyOn(console, 'log').mockImplementation(() => {}));

describe('the rollback of a release', () => {
  it('goes back no further than the keys allow', async () => {
    const host = updatedServer('1.0.1');
    await expect(rollBack(factsOf(host), flags)).rejects.toMatchObject({
      code: 'BUNDLE_ROLLBACK',
      message: 'the keys allow no release older than 1.0.1',
    });
  });

  it.each([null, '1.0.0'])('goes on with a minimum of %s, to the site', async (floor) => {
    const rolledBack = rollBack(factsOf(updatedServer(floor)), flags);
    await expect(rolledBack).rejects.toMatchObject({ code: 'STATE_INVALID' });
  });
});
