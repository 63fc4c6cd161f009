import { errorToJson, LandfallError } from '#contract/errors.ts';
import { briefSite, siteDifferences } from '#contract/site/brief-site.ts';
import { formatError } from '#contract/text/error.ts';
import { languages, setLanguage } from '#contract/text/language.ts';
import { effectOf, fieldsWithEffect } from '#explain/site-notes.ts';
import { siteText } from '#explain/site-text.ts';
import { describeChange, type SiteChange } from '../../../appliance/commands/site/diff.ts';
import { withRemarks } from '../../../appliance/commands/site/edit.ts';
import { nextAfter } from '../../../appliance/commands/site/next-commands.ts';
import { parseSource } from '../../../appliance/commands/site/source.ts';
import { type Answers, completeAnswers } from '../../../builder/commands/init/answers.ts';
import {
  describeOwnRelease,
  describePackagedRelease,
} from '../../../builder/commands/init/describe.ts';
import { applianceFiles, siteFiles } from '../../../builder/commands/init/files.ts';
import { siteTemplate } from '../../../builder/commands/init/site-template.ts';
import { chineseTexts, englishTexts } from '../../../builder/commands/init/texts.ts';
import {
  filesBySite,
  forEachLanguage,
  json,
  type Section,
  sections,
  type Topic,
} from '../golden.ts';
import { anyServer } from '../server-folder.ts';
import { fieldsOf, keys, siteNames, siteOf } from '../sites.ts';

const key = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOfVscOQjj0xpAv9TsSsXHMgaePCX3vFCzV9Y1yHldL8 me';

/** What people answer to the questions of `landfall init`. */
const answers: Readonly<Record<string, Answers>> = {
  fewest: { releaseWay: 'push', sshKeys: [key], tls: 'internal' },
  most: {
    ...{ releaseWay: 'url', releaseUrl: 'https://downloads.example.com/r/', sshKeys: [key] },
    ...{ uiHost: 'chat.example.com', tls: 'acme', acceptTerms: true, email: 'me@example.com' },
    ...{ routeWay: 'proxy', proxyUrl: 'http://10.0.0.2:7890', mirrorsWay: 'china-debian' },
    ...{ timezone: 'Asia/Shanghai', providers: ['openai', 'anthropic'] },
    ...{ frontEnds: ['chat', 'lobe'], localModels: false, memory: '4', architectures: ['arm64'] },
  },
  'a proxy with a password': {
    ...{ releaseWay: 'push', sshKeys: [key], tls: 'internal', routeWay: 'proxy' },
    ...{ proxyUrl: 'socks5h://me:pass@10.0.0.2:7891', proxyLogin: 'client' },
    ...{ mirrorsWay: 'own', aptMirror: 'https://apt.example.com/debian' },
  },
};

const packaged = {
  ...{ schema: 1, product: 'landfall', version: '1.2.0', architectures: ['amd64'] },
  urls: ['https://downloads.example.com/landfall/1.2.0/'],
  channels: ['https://downloads.example.com/landfall/stable'],
  keys: { release: keys.release.map(({ spki }) => spki), recovery: keys.recovery?.spki ?? null },
  ...{ keyId: keys.release[0]?.id ?? '', keyPage: 'https://example.com/keys' },
  hasProxyClient: true,
} as Parameters<typeof describePackagedRelease>[1];

/** The files and texts of `landfall init`, and site.yaml as a server writes it. */
export const site: Topic = async () =>
  new Map([
    ...(await initFiles()),
    ...(await forEachLanguage('init', initTexts)),
    ...languages.map((language): [string, string] => [
      `questions.${language}.json`,
      json(questions(language === 'en' ? englishTexts : chineseTexts)),
    ]),
    ...[...serverTexts()].map(([name, text]): [string, string] => [`server/${name}`, text]),
    [
      'effects.json',
      json(Object.fromEntries(fieldsWithEffect.map((field) => [field, effectOf(field)]))),
    ],
    ...(await forEachLanguage('changes', changes)),
    ...(await forEachLanguage('problems', () => sections(problems()))),
  ]);

async function initFiles(): Promise<[string, string][]> {
  const found: [string, string][] = [];
  for (const language of languages) {
    setLanguage(language);
    const files: [string, Section[]][] = [];
    for (const [name, given] of Object.entries(answers)) {
      const complete = completeAnswers(given, undefined);
      const made = [
        ...(language === 'en' ? await applianceFiles(complete) : []),
        ...siteFiles(siteTemplate(complete), complete),
      ];
      // The schemas are files of the repository.
      const shown = made.filter((file) => !file.name.startsWith('.landfall/'));
      files.push([name, shown.map((file): Section => [file.name, file.text])]);
    }
    const all = [...filesBySite(files)].map(
      ([name, text]): Section => [name.replace('.txt', ''), text],
    );
    found.push([`init-files.${language}.txt`, sections(all)]);
  }
  setLanguage('en');
  return found;
}

function initTexts(): string {
  const own = Object.entries(answers).map(([name, given]): Section => {
    const complete = completeAnswers(given, undefined);
    const place = { cwd: '/home/me', folder: '/home/me/my server', reason: 'The reason.' };
    return [name, describeOwnRelease({ ...place, answers: complete })];
  });
  const complete = completeAnswers({ ...answers.most, packaged: true }, packaged);
  const place = { cwd: '/home/me', folder: '/home/me', answers: complete };
  return sections([...own, ['release of the package', describePackagedRelease(place, packaged)]]);
}

/** Returns the questions, with their parameters as `<1>`. */
function questions(texts: object): object {
  return Object.fromEntries(
    Object.entries(texts).map(([name, text]) => [
      name,
      typeof text === 'function' ? String(text('<1>', '<2>', '<3>')) : text,
    ]),
  );
}

function serverTexts(): Map<string, string> {
  return filesBySite(
    siteNames.map((name) => [
      name,
      [['/etc/landfall/site.yaml', siteText(briefSite(siteOf(name)))]],
    ]),
  );
}

async function changes(): Promise<string> {
  const [before, after] = [siteOf('smallest'), siteOf('everything')];
  const change: SiteChange = {
    differences: siteDifferences(briefSite(before), after),
    stages: [
      { name: 'stack', title: 'stack: all of it', todo: ['write .env', 'start lobe'], files: [] },
      { name: 'tls', title: 'tls: certificate', todo: [], files: [], obstacle: 'no certificate' },
    ],
    ...{ restarts: ['ui', 'relay'], interrupted: ['ui', 'engine'], confirms: true },
  };
  const none = { differences: [], stages: [], restarts: [], interrupted: [], confirms: false };
  return sections([
    ['landfall site diff', describeChange(change)],
    ['landfall site diff, the same', describeChange(none)],
    [
      'landfall site diff, no stage',
      describeChange({ ...change, ...none, differences: change.differences }),
    ],
    ['next commands', (await nextAfter(anyServer(), before, after)) ?? ''],
  ]);
}

/** Texts of site.yaml that are not valid, with what people read about them. */
const broken: Readonly<Record<string, string>> = {
  typo: 'release: [https://example.com/]\nadmin: { ssh_key: [a] }\nhost: { ui: x }\n',
  values: `release: push\nadmin: { ssh_keys: [${key}] }\nhosts: { ui: Chat }\nports: { ui: 70000 }\n`,
  rules: `release: push\nadmin: { ssh_keys: [${key}] }\ntls: { mode: acme }\nports: { ui: 22 }\n`,
  secret: `release: push\nadmin: { ssh_keys: [${key}] }\nvariables: { PROVIDER_API_KEY: abc }\n`,
  yaml: 'release: [push\nadmin: {}\n',
  tab: 'release: push\n\tadmin: {}\n',
  reserved: `release: push\nadmin: { ssh_keys: [${key}] }\nclients: {}\n`,
  engines: `release: push\nadmin: { ssh_keys: [${key}] }\nengines: { nodes: [{ name: a, url: http://127.0.0.1:1 }] }\n`,
};

function problems(): Section[] {
  return Object.entries(broken).flatMap(([name, text]): Section[] => {
    try {
      parseSource(Buffer.from(text), '/etc/landfall/site.yaml');
      return [[name, 'valid']];
    } catch (error) {
      if (!(error instanceof LandfallError)) throw error;
      return [
        [name, formatError(error)],
        [`${name}, --json`, json(errorToJson(error))],
        [`${name}, landfall site edit`, withRemarks(text, error)],
      ];
    }
  });
}

/** The sites of the golden files are valid, so that nothing is rendered that no server has. */
export function invalidSites(): string[] {
  return siteNames.flatMap((name) => {
    try {
      parseSource(Buffer.from(JSON.stringify(fieldsOf(name))), `${name}.yaml`);
      return [];
    } catch (error) {
      if (!(error instanceof LandfallError)) throw error;
      return error.problems.map(({ message }) => `${name}: ${message}`);
    }
  });
}
