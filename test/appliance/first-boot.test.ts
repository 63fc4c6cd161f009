import { describe, expect, it } from 'vitest';
import { stages } from '../../appliance/first-boot.ts';
import { stageNames } from '../../appliance/stage/stage.ts';

describe('the stages of a first boot', () => {
  it('run in the order of stageNames, each under its own name', () => {
    expect(stages.map(({ name }) => name)).toEqual(stageNames);
  });

  it.each(stages)('have a title that begins with the name: $title', ({ name, title }) => {
    expect(title.startsWith(`${name}: `)).toBe(true);
  });
});
