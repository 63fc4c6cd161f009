import { describe, expect, it } from 'vitest';
import { stageNames } from '../../../appliance/server/stage/stage.ts';
import { expectTimes, stages } from '../../../appliance/stages/first-boot.ts';
import { contextFor, imageOf, modelOf } from '../context.ts';
import { TemporaryHost } from '../temporary-host.ts';

describe('the stages of a first boot', () => {
  it('run in the order of stageNames, each under its own name', () => {
    expect(stages.map(({ name }) => name)).toEqual(stageNames);
  });

  it.each(stages)(
    'starts the title of a first-boot stage with its name: $title',
    ({ name, title }) => {
      expect(title.startsWith(`${name}: `)).toBe(true);
    },
  );
});

const images = [
  imageOf('engine', 1.6e9),
  imageOf('ui', null),
  imageOf('chat', 8e9, { optional: true }),
];
const models = [modelOf('small:1b', 0.8e9), modelOf('large:70b', 40e9)];

const timesOf = (site: Record<string, unknown>) => {
  const release = { kind: 'thin', images, models } as const;
  return expectTimes(contextFor(TemporaryHost.with({}), { site, release }));
};

describe('the expected times of a first boot', () => {
  it('count the enabled images and the selected models only', () => {
    expect(timesOf({})).toMatchObject({ images: 200_000, models: 100_000 });
  });

  it('count optional images that the site enables', () => {
    expect(timesOf({ components: { chat: true } }).images).toBe(1_200_000);
  });

  it('count no models on a server without any', () => {
    expect(timesOf({ models: [] }).models).toBe(0);
  });
});
