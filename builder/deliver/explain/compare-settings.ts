import { isSameValue } from '#contract/site/brief-site.ts';
import { inBoth } from '#contract/text/language.ts';
import { shownValue } from '#explain/shown-value.ts';
import { meaningOfKey } from './cloud-init-keys.ts';
import type { ReadContent, Setting } from './content.ts';
import { type Finding, findingsOf, insteadOf, quoted, shown } from './finding.ts';

/** Entries of a list that are named; the rest is counted by its value. */
const maxEntries = 20;
const maxSettings = 200;

/** Compares the keys of a cloud-config with those that Landfall writes. */
export function compareSettings(actual: ReadContent, expected: ReadContent): Finding[] {
  const known = new Map(expected.settings.map(({ name, value }) => [name, value]));
  const present = new Set(actual.settings.map(({ name }) => name));
  return [
    ...findingsOf(actual.settings, maxSettings, (setting) =>
      known.has(setting.name) ? differences(setting, known.get(setting.name)) : additional(setting),
    ),
    ...[...known.keys()].filter((name) => !present.has(name)).map(missing),
  ];
}

function additional({ name, value, lines }: Setting): Finding {
  const { en, zh } = meaningOfKey(name);
  const content = shownValue(value);
  return {
    ...{ kind: 'setting', subject: shown(name), line: lines.first, covers: lines },
    text: {
      en: `${quoted(name)} (${en}) is not of Landfall: ${content}`,
      zh: `${quoted(name)}（${zh}）不是 Landfall 写的：${content}`,
    },
  };
}

function missing(name: string): Finding {
  const { en, zh } = meaningOfKey(name);
  return {
    ...{ kind: 'missing', subject: name },
    text: { en: `${name} (${en}) is missing`, zh: `缺少 ${name}（${zh}）` },
  };
}

/** Compares lists entry by entry, and other values as a whole. */
function differences(setting: Setting, expected: unknown): Finding[] {
  const { name, value, lines } = setting;
  if (isSameValue(value, expected)) return [];
  const finding = (en: string, zh: string): Finding => ({
    ...{ kind: 'setting', subject: name, line: lines.first, covers: lines },
    text: { en: `${name} ${en}`, zh: `${name} ${zh}` },
  });
  if (!Array.isArray(value) || !Array.isArray(expected)) {
    const { en, zh } = insteadOf(inBoth(shownValue(value)), inBoth(shownValue(expected)));
    return [finding(`is ${en}`, zh)];
  }
  const without = (list: readonly unknown[], others: readonly unknown[]) =>
    list.filter((each) => !others.some((other) => isSameValue(each, other))).slice(0, maxEntries);
  const meaning = meaningOfKey(name);
  const [added, removed] = [without(value, expected), without(expected, value)];
  if (added.length + removed.length === 0)
    return [finding('repeats entries, or has another order', '有重复的条目，或顺序不同')];
  return [
    ...added.map((each) =>
      finding(
        `(${meaning.en}) has an entry that is not of Landfall: ${shownValue(each)}`,
        `（${meaning.zh}）有一条不是 Landfall 写的：${shownValue(each)}`,
      ),
    ),
    ...removed.map((each) =>
      finding(
        `(${meaning.en}) has no entry ${shownValue(each)}`,
        `（${meaning.zh}）缺少 ${shownValue(each)}`,
      ),
    ),
  ];
}
