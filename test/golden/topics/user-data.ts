import { LandfallError } from '#contract/errors.ts';
import { decodeUtf8, encodeUtf8 } from '#contract/text/bytes.ts';
import { bootstrapFiles } from '../../../builder/bundle/bootstrap-files.ts';
import type { PinnedRelease } from '../../../builder/bundle/released/pinned-release.ts';
import { describeExplanation } from '../../../builder/deliver/explain/describe.ts';
import { type Explanation, explainPaste } from '../../../builder/deliver/explain/explain-paste.ts';
import { explanationJson } from '../../../builder/deliver/explain/json.ts';
import { releaseUrls } from '../../../builder/deliver/user-data/boot-settings.ts';
import { describeUserData, userDataJson } from '../../../builder/deliver/user-data/describe.ts';
import {
  type Format,
  findProvider,
  providers,
} from '../../../builder/deliver/user-data/providers.ts';
import {
  type RenderedUserData,
  renderUserData,
} from '../../../builder/deliver/user-data/render.ts';
import { forEachLanguage, json, type Section, sections, type Topic } from '../golden.ts';
import { marked } from '../printed.ts';
import { keys, release, type SiteName, siteOf } from '../sites.ts';

const bootstrap = bootstrapFiles();
/** The release for both architectures, with the bootstrap of this checkout. */
const releases: readonly PinnedRelease[] = (['amd64', 'arm64'] as const).map((arch, index) => ({
  release: {
    ...{ ...release, arch },
    bootstrap: bootstrap.map(({ name, sha256 }) => ({ name, sha256 })),
  },
  manifestSha256: `${index}`.repeat(64),
}));

/** User-data of several sites. One of them shows the bootstrap; the others name its files. */
export const userData: Topic = async () =>
  new Map([
    ['smallest.yaml', textOf(rendered('smallest'))],
    ['smallest.sh.txt', withoutBootstrap(textOf(rendered('smallest', 'shell')))],
    ['smallest.mime.txt', withoutBootstrap(textOf(rendered('smallest', 'multipart')))],
    ...(['chinese', 'client', 'node'] as const).map((name): [string, string] => [
      `${name}.yaml`,
      withoutBootstrap(textOf(rendered(name))),
    ]),
    ['trust.yaml', withoutBootstrap(textOf(trusting()))],
    ['everything.sh.txt', withoutBootstrap(textOf(rendered('everything', 'shell')))],
    ['described.txt', sections(descriptions())],
    ['described.json', sections(documents())],
    ['providers.json', json(providers)],
    ['refused.txt', sections(refusals())],
    ...(await forEachLanguage('explained', () => sections(Object.entries(pastes).map(explained)))),
    [
      'explained.json',
      sections(Object.entries(pastes).map(([name, one]) => [name, json(explanationJson(one()))])),
    ],
  ]);

function rendered(name: SiteName, format?: Format, provider?: string): RenderedUserData {
  return renderUserData({ site: siteOf(name), releases, keys, format, provider });
}

/** A site with every field is too large for cloud-config: this one has what adds a section to it. */
function trusting(): RenderedUserData {
  const { ca, dns, route } = siteOf('everything');
  return renderUserData({ site: { ...siteOf('smallest'), ca, dns, route }, releases, keys });
}

function textOf({ bytes }: RenderedUserData): string {
  return decodeUtf8(bytes);
}

/** Returns user-data with the name of each file of the bootstrap instead of its text. */
function withoutBootstrap(text: string): string {
  return bootstrap.reduce((rest, { name, content }) => {
    const body = content.replace(/\n+$/, '');
    const forms = [indented(body), body, body.replaceAll('\t', '~')];
    const found = forms.find((form) => rest.includes(form));
    return found === undefined ? rest : rest.replace(found, () => `(the file ${name})`);
  }, text);
}

function indented(text: string): string {
  return text
    .split('\n')
    .map((line) => (line === '' ? '' : `  ${line}`))
    .join('\n');
}

const results = (['smallest', 'everything', 'chinese'] as const).map((name) => {
  const made = rendered(name, name === 'everything' ? 'shell' : undefined);
  const urls = releaseUrls(siteOf(name), releases);
  const first = urls[0];
  return {
    name,
    unchecked: {
      ...{ path: 'user-data.yaml', releases, keys, rendered: made, warnings: made.warnings },
      ...{ urls, checks: undefined, packaged: undefined },
    },
    checked: {
      ...{ path: 'user-data.yaml', releases, keys, rendered: made, warnings: ['a warning'], urls },
      checks: urls.map((url) =>
        url === first
          ? { ...url, state: 'not-served' as const }
          : { ...url, state: 'served' as const, size: 48e6, isResumable: true },
      ),
      packaged: { keyPage: 'https://example.com/keys' },
    },
  };
});

function descriptions(): Section[] {
  return results.flatMap(({ name, unchecked, checked }): Section[] => [
    [name, describeUserData(unchecked)],
    [`${name}, checked`, describeUserData(checked as Parameters<typeof describeUserData>[0])],
  ]);
}

function documents(): Section[] {
  return results.flatMap(({ name, unchecked, checked }): Section[] => [
    [name, json(userDataJson(unchecked))],
    [`${name}, checked`, json(userDataJson(checked as Parameters<typeof userDataJson>[0]))],
  ]);
}

function refusals(): Section[] {
  const attempts: Readonly<Record<string, () => unknown>> = {
    'too large': () =>
      renderUserData({
        ...{ site: { ...siteOf('smallest'), ca: 'x'.repeat(20_000) }, releases, keys },
      }),
    'unknown provider': () => findProvider('hetzer'),
    'unsupported format': () => rendered('smallest', 'gzip', 'hetzner'),
  };
  const notes = Object.keys(providers).map((name): Section => {
    return [`warnings for ${name}`, rendered('smallest', undefined, name).warnings.join('\n')];
  });
  const errors = Object.entries(attempts).map(([name, attempt]): Section => {
    try {
      attempt();
      return [name, 'accepted'];
    } catch (error) {
      if (!(error instanceof LandfallError)) throw error;
      const { code, message, hint, problems } = error;
      const sizes = problems.map(({ message: text }) => text.replace(/\d+ bytes/, 'N bytes'));
      return [name, json({ code, message: message.replaceAll(/\d+/g, 'N'), hint, sizes })];
    }
  });
  return [...errors, ...notes];
}

/** User-data of another person. */
const pastes: Readonly<Record<string, () => Explanation>> = {
  'as Landfall writes it': () => explainPaste(rendered('smallest').bytes, { file, releases }),
  'every field': () => explainPaste(rendered('everything', 'shell').bytes, { file, releases }),
  'without a release': () => explainPaste(rendered('chinese').bytes, { file, releases: [] }),
  changed: () => {
    const text = `${textOf(rendered('smallest')).replace('set -', 'set +')}\nruncmd:\n  - curl example.com\n`;
    return explainPaste(encodeUtf8(text), { file, releases });
  },
  'not of Landfall': () => explainPaste(encodeUtf8('#!/bin/sh\nls\n'), { file, releases }),
};
const file = 'user-data.yaml';

function explained([name, explain]: [string, () => Explanation]): Section {
  const { facts, sentences } = describeExplanation(explain(), marked);
  return [name, `${facts}\n\n${sentences}`];
}
