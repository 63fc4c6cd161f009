import { describe, expect, it } from 'vitest';
import { digestOf } from '#contract/trust/digest.ts';
import { lockSchema, unresolved } from '../../../../builder/inputs/lock/lock.ts';
import { lockFor, someAppliance } from './fixture.ts';

const digest = digestOf('an index');

function isAccepted(image: string, index: string): boolean {
  const lock = structuredClone(lockFor(someAppliance({})));
  Object.assign(lock.images.ui ?? {}, { image, index });
  return lockSchema.safeParse(lock).success;
}

describe('a lock of an image that its appliance names by digest', () => {
  it.each([digest, unresolved])('accepts the index %s', (index) => {
    expect(isAccepted(`team/app:1@${digest}`, index)).toBe(true);
  });

  it('rejects another index', () => {
    expect(isAccepted(`team/app:1@${digest}`, digestOf('another'))).toBe(false);
  });
});
