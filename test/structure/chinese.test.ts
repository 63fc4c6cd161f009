import { describe, expect, it } from 'vitest';
import { commanderRows, sharedHelpRows } from '#cli/chinese.ts';
import { isChinese } from '#contract/text/language.ts';
import { serverRows } from '../../appliance/commands/chinese.ts';
import { chineseRows } from '../../builder/base/chinese/rows.ts';
import { literalsIn } from './literals.ts';
import { sourcesBelow, textOf } from './sources.ts';

/** Functions whose texts are in the help. */
const helping = new Set([
  ...['description', 'option', 'requiredOption', 'argument', 'Option', 'repeatable', 'subcommand'],
]);

/** Functions whose texts users of the builder see. */
const visible = new Set([
  ...helping,
  ...[
    'LandfallError',
    'TransferError',
    'failed',
    'rejected',
    'notAKey',
    'note',
    'step',
    'transfer',
  ],
  ...['write', 'print', 'formatTable', 'agree', 'askToConfirm', 'askSecret', 'cancel'],
]);

/** They print documents, programs for a shell, a web page, or both languages in their own way. */
const documents =
  /^builder\/(?:base\/chinese|page|publish|bundle\/(?:notice|sbom|assemble)|inputs\/(?:licenses|config\/reference))\/|\/(?:shell-script|route\/startup-files|init\/texts|init\/site-template)\.ts$/;

/** Not translated yet: what makes and compares releases of others, and rare errors of sources. */
const english =
  /^builder\/(?:bundle\/(?:compose|diff|reproduce|resign|released)|deliver\/(?:channel|explain)|inputs\/(?:models\/gguf|registry|sources))\/|^builder\/commands\/(?:channel\/|diff|reproduce|sign|schema|route\/)|^builder\/inputs\/models\/registry-models/;

/** At least two English words: no names, fields and commands. */
const prose = /[A-Za-z]{2,}[,;:]? (?:\{\} )?[a-z]{2,}/;

/** In progress, a word is enough: `writing {}`. */
function isProse(text: string, call = ''): boolean {
  return prose.test(text) || (/^(?:note|step|transfer)$/.test(call) && /[a-z]{3}/.test(text));
}

const builder = sourcesBelow('builder').filter((file) => !documents.test(file));
const literalsOf = new Map(builder.map((file) => [file, literalsIn(textOf(file))]));

describe('the Chinese of the builder', () => {
  it('translates every English text that users see', () => {
    const missing = [...literalsOf].flatMap(([file, literals]) =>
      literals
        .filter(({ calls }) => !english.test(file) || calls.some((call) => helping.has(call)))
        .filter(({ calls, text }) => isProse(text, calls.at(-1)) && !isChinese(text))
        .filter(({ text }) => !/^\n?\s*(?:landfall|ssh|systemctl|release\.json) /.test(text))
        .filter(
          ({ calls, before }) =>
            calls.some((call) => visible.has(call)) || /\bhint:\s*$/.test(before),
        )
        // Both languages in place.
        .filter(({ calls, before }) => calls.at(-1) !== 'say' && !/\ben:\s*$/.test(before))
        .filter(({ text }) => !Object.hasOwn(chineseRows, text))
        .map(({ line, text }) => `${file}:${line} ${text}`),
    );
    expect(missing, 'add a row below builder/base/chinese, or write say(en, zh)').toEqual([]);
  });

  it('translates only texts of the code', () => {
    const shared = sourcesBelow('appliance/shared').map((file) => literalsIn(textOf(file)));
    const all = new Set([...literalsOf.values(), ...shared].flat().map(({ text }) => text));
    const stale = Object.keys(chineseRows).filter(
      (text) => !all.has(text) && !Object.hasOwn(commanderRows, text),
    );
    expect(stale, 'remove or correct these rows').toEqual([]);
  });

  it('inserts in Chinese what it inserts in English', () => {
    // A verb, which Chinese does not need.
    const shorter = new Set(['{} already {} in {}']);
    const wrong = Object.entries(chineseRows).filter(([english, chinese]) => {
      const count = english.split('{}').length - 1;
      const inserts = new Set([...chinese.matchAll(/\{(\d)\}/g)].map(([, index]) => Number(index)));
      const all = Array.from({ length: count }, (_, index) => index + 1);
      const isWhole = shorter.has(english) || all.every((index) => inserts.has(index));
      return !isWhole || [...inserts].some((index) => index > count);
    });
    expect(wrong).toEqual([]);
  });
});

describe("the Chinese of the server's help", () => {
  const helpTexts = [...sourcesBelow('appliance/commands'), ...sourcesBelow('appliance/shared')]
    // Only systemd and other programs call them.
    .filter((file) => !/hidden-commands|ssh-through-proxy-command/.test(file))
    .flatMap((file) => literalsIn(textOf(file)).map((literal) => ({ ...literal, file })))
    .filter(({ calls }) => calls.some((call) => helping.has(call)));

  it('translates every description', () => {
    const missing = helpTexts
      .filter(({ text }) => prose.test(text) && !/^-|\.$|\bcalled by\b/.test(text))
      .filter(({ text, calls }) => !isChinese(text) && calls.at(-1) !== 'exampleText')
      .filter(({ text }) => !Object.hasOwn(serverRows, text));
    expect(
      missing.map(({ file, line, text }) => `${file}:${line} ${text}`),
      'add a row to appliance/commands/chinese.ts',
    ).toEqual([]);
  });

  it('translates only texts of the code', () => {
    const all = new Set(
      sourcesBelow('appliance')
        .flatMap((file) => literalsIn(textOf(file)))
        .map(({ text }) => text),
    );
    const stale = Object.keys(serverRows).filter(
      (text) =>
        !all.has(text) &&
        !Object.hasOwn(commanderRows, text) &&
        !Object.hasOwn(sharedHelpRows, text),
    );
    expect(stale, 'remove or correct these rows').toEqual([]);
  });
});
