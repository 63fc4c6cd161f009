import { describe, expect, it } from 'vitest';
import { describeModels, listModels } from '../../../../appliance/stages/models/list-models.ts';
import { type ModelState, readModelName } from '../../../../appliance/stages/models/public.ts';

const [one, two] = [`sha256:${'1'.repeat(64)}`, `sha256:${'2'.repeat(64)}`] as const;

const state = (text: string, manifest: string | null, size: number | null = null): ModelState => ({
  model: { name: text, role: 'chat', manifest, size },
  name: readModelName(text),
  stored: false,
  present: false,
  carried: undefined,
});
const model = (name: string, digest: typeof one | typeof two, size = 5_200_000_000) => ({
  name,
  digest,
  size,
});

const chosenOf = (states: readonly ModelState[]) => states.map(({ model: chosen }) => chosen);

describe('the list of models', () => {
  it('starts with the models of the release, and shows the origin of each', () => {
    const listed = [model('mine:1b', two, 700e6), model('qwen3:8b', one)];
    const states = [state('library/qwen3:8b', one), state('gemma3:4b', two)];
    const found = listModels(listed, states, chosenOf(states));
    expect(found.map(({ name, from, present }) => [name, from, present])).toEqual([
      ['qwen3:8b', 'release', true],
      ['gemma3:4b', 'release', false],
      ['mine:1b', 'hand', true],
    ]);
  });

  it('shows another model with the same name', () => {
    const [found] = listModels([model('qwen3:8b', two)], [state('qwen3:8b', one)], []);
    expect(found).toMatchObject({ from: 'other', digest: two, present: true });
  });

  it('accepts any digest if the release does not lock one, and any letter case', () => {
    const states = [state('qwen3:8b', null)];
    const found = listModels([model('Qwen3:8B', two)], states, chosenOf(states));
    expect(found).toEqual([
      {
        ...{ name: 'qwen3:8b', size: 5_200_000_000, digest: two },
        ...{ from: 'release', chosen: true, present: true },
      },
    ]);
  });

  it('prints the list of models as a table with the command for missing models', () => {
    const listed = [model('mine:1b', two, 700e6)];
    const states = [state('qwen3:8b', one, 5_200_000_000), state('gemma3:27b', null)];
    expect(describeModels(listModels(listed, states, chosenOf(states)))).toBe(
      [
        'NAME        SIZE    DIGEST        ORIGIN',
        'qwen3:8b    5.2 GB  111111111111  not installed yet: sudo landfall models pull qwen3:8b',
        'gemma3:27b  ?       ?             not installed yet: sudo landfall models pull gemma3:27b',
        'mine:1b     700 MB  222222222222  by hand',
      ].join('\n'),
    );
  });

  it('marks models of the release that are not chosen for this server', () => {
    const text = describeModels(listModels([], [state('qwen3:8b', one)], []));
    expect(text).toContain('not chosen for this server: sudo landfall models pull qwen3:8b');
  });

  it('prints a hint if the list of models is empty', () => {
    expect(describeModels([])).toContain('sudo landfall models pull NAME');
  });

  it('contains no escape sequences', () => {
    const text = describeModels(listModels([model('a\u001b[2J:1b', one)], [], []));
    expect(text).toContain('1b ');
    expect(text).not.toContain('\u001b');
  });
});
