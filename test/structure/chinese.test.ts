import { describe, expect, it } from 'vitest';
import { commanderRows, sharedHelpRows } from '#cli/chinese.ts';
import { isChinese } from '#contract/text/language.ts';
import { serverRows } from '../../appliance/commands/chinese/rows.ts';
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

/** Functions whose texts people on a server see, and in the shared room also users of the builder. */
const spoken = new Set([
  ...visible,
  ...['InvalidArgumentError', 'damaged', 'diskFull', 'exists', 'failure', 'ignored', 'invalid'],
  ...['newer', 'noProxies', 'notAFolder', 'notChanged', 'refusal', 'refuse', 'refused'],
  ...['refusedRelease', 'socksRefusal', 'statusError', 'taken', 'unexpected', 'unproven'],
  ...['unreadable', 'unsupported', 'unusable', 'waitFor', 'webUrlOf', 'withRetry', 'attempt'],
  ...[
    'atEach',
    'numericProxy',
    'refuseUnconfirmed',
    'parseSource',
    'super',
    'adviceFor',
    'expectSpace',
  ],
]);

/** They say a text that has no name of its own: `const message = isOld ? 'a' : 'b'`. */
const named = /\b(?:advice|cause|hint|message)(?:: string)?\s*(?:=|:)(?!>)[^;{]*$/;

/**
 * Files of the server whose texts are no messages: the relay, what other programs read, the rules of a
 * site (see languages.test.ts), and texts that have both languages in their own way.
 */
const silent =
  /^appliance\/(?:relay|bootstrap|shared\/contract\/site|server\/progress\/page|stages\/stack\/(?:components|gateway|pages))\/|\/chinese(?:\/|\.ts$)|\/(?:alerts\/message|progress\/motd|doctor\/checks\/conditions|manual\/page|site-notes|reason-texts|login-settings|hidden-commands|host\/outside\/probe|install-command)\.ts$|\/render/;

/** Texts of the server that no user sees: mistakes in the code, and what only systemd can do wrong. */
const unseen = new Set([
  'serve-page takes one absolute path',
  'serve-page must not be run as root',
  'serve-page must be started by systemd with a socket',
  'there is no task {}',
  // Prompts.
  ...['Count to twenty.', 'Say hello.', 'Answer with one word: hello.'],
]);

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
    const rows = [...Object.entries(chineseRows), ...Object.entries(serverRows)];
    const wrong = rows.filter(([english, chinese]) => {
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
      'add a row to appliance/commands/chinese/rows.ts',
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

describe("the Chinese of the server's errors", () => {
  const files = sourcesBelow('appliance').filter((file) => !silent.test(file));
  const texts = files
    .flatMap((file) => literalsIn(textOf(file)).map((literal) => ({ ...literal, file })))
    .filter(({ calls }) => !calls.some((call) => helping.has(call)))
    .filter(
      ({ calls, before, text }) =>
        calls.some((call) => spoken.has(call)) ||
        named.test(before) ||
        // Of a table: a message after its code, and advice.
        /'[A-Z]+_[A-Z_]+',\s*$/.test(before) ||
        /^[A-Z][^\n]*\.$/.test(text),
    )
    .filter(({ text }) => isProse(text) && !isChinese(text))
    .filter(({ text }) => !/^(?:sudo |--|\n?\s*landfall )/.test(text) && !unseen.has(text))
    // Both languages in place.
    .filter(
      ({ calls, before }) =>
        !/^(?:say|speak)$/.test(calls.at(-1) ?? '') && !/\ben:\s*$/.test(before),
    );

  it('translates every English text that people on a server see', () => {
    const missing = texts
      .filter(({ text }) => !Object.hasOwn(serverRows, text))
      .map(({ file, line, text }) => `${file}:${line} ${text}`);
    expect(missing, 'add a row below appliance/commands/chinese, or write say(en, zh)').toEqual([]);
  });

  it('translates what the builder prints, too', () => {
    const missing = texts
      .filter(({ file }) => file.startsWith('appliance/shared/'))
      .filter(({ text }) => !Object.hasOwn(chineseRows, text))
      .map(({ file, line, text }) => `${file}:${line} ${text}`);
    expect(missing, 'move the row to chinese.ts of its room in appliance/shared').toEqual([]);
  });
});
