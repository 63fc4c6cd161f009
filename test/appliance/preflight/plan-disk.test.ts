import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type DiskNeeds, sum } from '../../../appliance/preflight/disk-needs.ts';
import { planDisk, spaceNeeded } from '../../../appliance/preflight/plan-disk.ts';

/** Approximately the reference appliance: a 3 GB download and a model of 5.2 GB. */
const reference: DiskNeeds = {
  images: 8e9,
  optional: { lobe: 1.3e9 },
  models: { 'qwen3:8b': 5.2e9 },
  carried: 0,
  downloads: 0,
  blobs: 3.1e9,
};

describe('a disk with much free space', () => {
  it('keeps the blobs, and space for the next release', () => {
    expect(planDisk(reference, 60e9)).toMatchObject({ dropBlobs: false, keepPrevious: true });
  });
});

describe('a disk of 20 GB', () => {
  it('plans a disk of 20 GB without space for the blobs and the next release', () => {
    expect(planDisk(reference, 14e9)).toMatchObject({ dropBlobs: true, keepPrevious: false });
  });

  it('rejects a model that does not fit, and suggests what to leave out, the largest first', () => {
    const { refusal } = planDisk(reference, 11e9);
    expect(refusal).toEqual({
      message: 'not enough disk space: 11.0 GB free, 12.8 GB needed',
      hint: 'Use a disk with 1.8 GB more, or leave out qwen3:8b (5.2 GB), lobe (1.3 GB).',
    });
  });
});

describe('models in the bundle', () => {
  // Regression: models in the bundle were counted twice.
  it('need no additional space, because Ollama shares their files', () => {
    const carried = { ...reference, carried: 5.2e9 };
    const way = { dropBlobs: false, keepPrevious: false };
    expect(spaceNeeded(reference, way) - spaceNeeded(carried, way)).toBeCloseTo(5.2e9);
    expect(planDisk(carried, 11e9)).not.toHaveProperty('refusal');
  });
});

describe('a disk of medium size', () => {
  it('drops the blobs before the space for the next release', () => {
    const free = spaceNeeded(reference, { dropBlobs: true, keepPrevious: true });
    expect(planDisk(reference, free)).toEqual({ dropBlobs: true, keepPrevious: true, spare: 0 });
  });

  it('drops no blobs of a thin bundle', () => {
    const thin = { ...reference, blobs: 0 };
    const free = spaceNeeded(thin, { dropBlobs: false, keepPrevious: false });
    expect(planDisk(thin, free)).toEqual({ dropBlobs: false, keepPrevious: false, spare: 0 });
  });
});

describe('the blobs of a bundle', () => {
  it('do not count as free space for images, which need both at once', () => {
    const images = { ...reference, models: {}, images: 15e9 };
    expect(planDisk(images, 15e9).refusal).toBeDefined();
  });
});

const amounts = fc.record({
  images: fc.nat(50e9),
  blobs: fc.nat(20e9),
  models: fc.dictionary(fc.string(), fc.nat(20e9), { maxKeys: 3 }),
  carried: fc.nat(60e9),
  downloads: fc.nat(1e9),
});

describe('any disk', () => {
  it('plans no more than any disk holds, and accepts it if a smaller one is accepted', () => {
    fc.assert(
      fc.property(amounts, fc.nat(200e9), fc.nat(50e9), (needs, free, more) => {
        const carried = Math.min(needs.carried, sum(Object.values(needs.models)));
        const whole = { ...needs, carried, optional: {}, unknown: 0 };
        const decision = planDisk(whole, free);
        if (decision.refusal !== undefined) return;
        expect(spaceNeeded(whole, decision) + decision.spare).toBe(free);
        expect(decision.spare).toBeGreaterThanOrEqual(0);
        expect(planDisk(whole, free + more).refusal).toBeUndefined();
      }),
    );
  });
});
