import { expect, it } from 'vitest';
import { LandfallError } from '#contract/errors.ts';
import { lockFailure } from '../../../../builder/inputs/lock/pending-entry.ts';

const unreachable = (host: string) =>
  new LandfallError('NETWORK_UNREACHABLE', `${host} is unreachable`);
const mirror = (host: string) => `add a mirror with --mirror ${host}=<url>`;

it('names an unreachable registry once, with every image that it should have', () => {
  const failures = [
    { name: 'acme', error: unreachable('docker.io'), otherSource: mirror('docker.io') },
    { name: 'ui', error: unreachable('ghcr.io'), otherSource: mirror('ghcr.io') },
    { name: 'chat', error: unreachable('docker.io'), otherSource: mirror('docker.io') },
  ];
  const { code, message, problems } = lockFailure('lock.yaml', failures);
  expect({ code, message }).toEqual({
    code: 'NETWORK_UNREACHABLE',
    message: 'locking failed: acme, ui, chat',
  });
  expect(problems.map((problem) => problem.message)).toEqual([
    'acme, chat: docker.io is unreachable',
    'ui: ghcr.io is unreachable',
  ]);
});
