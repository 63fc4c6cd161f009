import { describe, expect, it } from 'vitest';
import type { Text } from '#contract/text/language.ts';
import { kinds } from '../../../../appliance/operations/transactions/kinds.ts';
import {
  newTransaction,
  type Transaction,
} from '../../../../appliance/server/records/transaction.ts';

function wordsFor(kind: Transaction['kind'], changed: string[], isTested = true) {
  const source = { urls: [], part: null };
  const versions = { from: '0.2.0', to: '0.1.0' };
  const plan = {
    changed,
    stages: null,
    closes: true,
    limit: 60,
    keepsPrevious: true,
    confirms: false,
  };
  const manifest = 'a'.repeat(64);
  const open = { ...newTransaction({ kind, ...versions, manifest, source }), plan };
  return kinds[kind].words(open, isTested);
}

/** The lines in both languages. */
function linesOf({ states, done, goesOn }: ReturnType<typeof wordsFor>): string {
  const texts = [...Object.values(states), done, goesOn].filter((text): text is Text => !!text);
  return texts.flatMap(({ en, zh }) => [en, zh]).join('\n');
}

describe('the words of a rollback', () => {
  const words = wordsFor('rollback', ['ui']);

  it('name the releases, and none that is new', () => {
    const lines = linesOf(words);
    expect(lines).not.toMatch(/new release|新版本/);
    expect(words.states.switching).toEqual({ en: 'starting 0.1.0 again', zh: '重新启动 0.1.0' });
    expect(words.states['rolling-back']?.en).toBe('0.1.0 does not work; 0.2.0 comes back');
    expect(words.done.en).toMatch(/^Release 0\.1\.0 is installed again\./);
  });

  it('say what is in effect after a failure', () => {
    expect(`${words.failed.en}. ${words.now.en}`).toBe(
      'the rollback to 0.1.0 failed. 0.2.0 runs again, with all data.',
    );
  });
});

describe('the words of a change of the site', () => {
  it('say nothing of a restart or a test that does not happen', () => {
    const { states } = wordsFor('site', [], false);
    expect([states.switching, states.verifying]).toEqual([undefined, undefined]);
    expect(states.preparing?.en).toBe('applying the site; the server is open');
  });

  it('say one result', () => {
    const { states, done } = wordsFor('site', ['relay']);
    expect(states.verifying?.en).toBe('testing the server');
    expect(states.committed).toBeUndefined();
    expect(done.en).toMatch(/^The site is applied\./);
  });
});
