import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type DiskNeeds, sum } from '../../../appliance/preflight/disk-needs.ts';
import { planDisk, spaceNeeded } from '../../../appliance/preflight/plan-disk.ts';

/** About what the reference appliance takes: 3 GB to download, 5.2 GB of model. */
const reference: DiskNeeds = {
  images: 8e9,
  optional: { lobe: 1.3e9 },
  models: { 'qwen3:8b': 5.2e9 },
  carried: 0,
  downloads: 0,
  blobs: 3.1e9,
};

describe('a disk with plenty of room', () => {
  it('keeps the blobs, and room for the next release', () => {
    expect(planDisk(reference, 60e9)).toMatchObject({ dropBlobs: false, keepPrevious: true });
  });
});

describe('a disk of 20 GB', () => {
  it('fits without the blobs and without room for the next release', () => {
    expect(planDisk(reference, 14e9)).toMatchObject({ dropBlobs: true, keepPrevious: false });
  });

  it('is rejected if the model does not fit, with what to leave out, the largest first', () => {
    const { refusal } = planDisk(reference, 11e9);
    expect(refusal).toEqual({
      message: 'not enough disk space: 11.0 GB free, 12.8 GB needed',
      hint: 'Use a disk with 1.8 GB more, or leave out qwen3:8b (5.2 GB), lobe (1.3 GB).',
    });
  });
});

describe('models that the bundle carries', () => {
  // They were counted twice: a server whose bundle had a model was refused for want of its room.
  it('take no further room, since the engine shares their files', () => {
    const carried = { ...reference, carried: 5.2e9 };
    const way = { dropBlobs: false, keepPrevious: false };
    expect(spaceNeeded(reference, way) - spaceNeeded(carried, way)).toBeCloseTo(5.2e9);
    expect(planDisk(carried, 11e9)).not.toHaveProperty('refusal');
  });
});

describe('a disk in between', () => {
  it('gives the blobs up before it gives up room for the next release', () => {
    const free = spaceNeeded(reference, { dropBlobs: true, keepPrevious: true });
    expect(planDisk(reference, free)).toEqual({ dropBlobs: true, keepPrevious: true, spare: 0 });
  });

  it('has no blobs to give up where the bundle is thin', () => {
    const thin = { ...reference, blobs: 0 };
    const free = spaceNeeded(thin, { dropBlobs: false, keepPrevious: false });
    expect(planDisk(thin, free)).toEqual({ dropBlobs: false, keepPrevious: false, spare: 0 });
  });
});

describe('blobs', () => {
  it('make no room for images, which need both at once', () => {
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
  it('is never promised more than it has, nor refused where a smaller one is not', () => {
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
