import { unpainted } from '#contract/text/paint.ts';
import { speak } from '../../../builder/base/language.ts';
import { formatCost } from '../../../builder/base/progress/statistics.ts';
import { describeBuild } from '../../../builder/bundle/archive/describe-build.ts';
import type { PublishedBundle } from '../../../builder/bundle/archive/publish-bundle.ts';
import { printMarkdown } from '../../../builder/bundle/diff/print-markdown.ts';
import { printText } from '../../../builder/bundle/diff/print-text.ts';
import { noticeOf } from '../../../builder/bundle/notice/notice.ts';
import { licenseTable, referenceWorks } from '../../../builder/bundle/notice/table.ts';
import { sbomOf } from '../../../builder/bundle/sbom/sbom.ts';
import {
  describeRemoved,
  describeStarted,
  startedToJson,
} from '../../../builder/commands/preview/report.ts';
import { describeQuickstart } from '../../../builder/commands/quickstart/describe.ts';
import { meaningOf } from '../../../builder/deliver/hosting/file-meanings.ts';
import { indexPage } from '../../../builder/deliver/hosting/index-page.ts';
import { describeServed, servedJson } from '../../../builder/deliver/hosting/serve/describe.ts';
import { describeUpload, uploadJson } from '../../../builder/deliver/hosting/upload/describe.ts';
import { report } from '../../builder/bundle/diff/print-report.ts';
import { sbomInputs } from '../../builder/bundle/sbom/inputs.ts';
import { forEachLanguage, json, type Section, sections, type Topic } from '../golden.ts';
import { marked } from '../printed.ts';
import { release } from '../sites.ts';

const sha256 = 'a'.repeat(64);
const last = { path: 'appliance.yaml', size: 500, sha256, offset: 48_000_000, executable: false };

const built: readonly PublishedBundle[] = [
  {
    release: { ...release, files: [last] },
    ...{ path: 'dist/landfall-1.2.0-amd64.tar', fileCount: 1, manifestSha256: sha256 },
    unchanged: false,
  },
  {
    release: {
      ...release,
      arch: 'arm64',
      kind: 'full',
      files: [last],
      keys: { ...release.keys, recovery: null },
    },
    ...{ path: 'dist/landfall-1.2.0-arm64.tar.001', fileCount: 3, manifestSha256: sha256 },
    unchanged: true,
  },
];

const files = [
  'landfall-1.2.0-amd64.tar',
  'landfall-1.2.0-amd64.release.json',
  'landfall-1.2.0-amd64.release.json.sig',
  'landfall-1.2.0-amd64.release.sigstore.json',
  'landfall-1.2.0-amd64.provenance.sigstore.json',
  'landfall-1.2.0-amd64.sbom.cdx.json',
  'landfall-1.2.0-amd64.tar.001',
  'landfall-1.2.0.tgz',
  'landfall-1.2.0.channel.json',
  'channel.json',
  'channel.json.sig',
  '12.json',
  '12.json.sig',
  'release.pub',
  'notes.md',
  'index.html',
  'configurator.html',
  'SHA256SUMS',
  'other',
].map((name, index) => ({
  name,
  path: `/dist/${name}`,
  size: 1000 * 7 ** (index % 6),
  sha256,
  modified: 0,
}));

/** What commands of the builder print, and the documents that a release carries. */
export const builderCommands: Topic = async () =>
  new Map([
    ...(await forEachLanguage('build', () => sections(buildTexts()), speak)),
    [
      'diff.txt',
      sections([
        ['plain', printText(report, unpainted)],
        ['coloured', printText(report, marked)],
      ]),
    ],
    ['diff.md.txt', printMarkdown(report)],
    ['diff.json', json(report)],
    ['index.html', indexPage('landfall 1.2.0', files, '<p>Intro.</p>\n')],
    ['meanings.txt', files.map(({ name }) => `${name}: ${meaningOf(name)}`).join('\n')],
    ...(await forEachLanguage('serve', () => sections(serveTexts()), speak)),
    ...(await forEachLanguage('upload', () => sections(uploadTexts()), speak)),
    ...(await forEachLanguage('preview', () => sections(previewTexts()), speak)),
    ...(await forEachLanguage('quickstart', quickstartText, speak)),
    ['notice.txt', await noticeText()],
    ['licenses.txt', await licenseTable()],
    ['sbom.json', `${await sbomOf(sbomInputs())}`],
  ]);

function buildTexts(): Section[] {
  const cost = {
    fetched: 1e9,
    fromCache: 2e8,
    hashed: 3e9,
    written: 4e9,
    seconds: 12.3,
    peakMemory: 91e6,
  };
  return [
    ['landfall build', describeBuild(built.slice(0, 1))],
    ['landfall build, without a recovery key', describeBuild(built)],
    ['cost', formatCost(cost)],
  ];
}

function serveTexts(): Section[] {
  return ['127.0.0.1', '192.0.2.7', '2001:db8::7'].flatMap((host): Section[] => {
    const address = { host, port: 8080 };
    return [
      [`landfall serve: ${host}`, describeServed(files.slice(0, 3), address)],
      [`landfall serve --json: ${host}`, json(servedJson(files.slice(0, 3), address))],
    ];
  });
}

function uploadTexts(): Section[] {
  const uploaded = files.slice(0, 2).map((file, index) => ({ ...file, isSent: index === 0 }));
  const pinned = { release, manifestSha256: sha256 };
  const url = {
    ...{ arch: 'amd64' as const, name: 'landfall-1.2.0-amd64.tar', pinned },
    url: new URL('https://downloads.example.com/landfall-1.2.0-amd64.tar'),
  };
  const publicUrl = new URL('https://downloads.example.com/');
  const results = {
    sent: { publicUrl: undefined, checks: [] },
    checked: { publicUrl, checks: [{ ...url, state: 'served', size: 48e6, isResumable: false }] },
    failed: { publicUrl, checks: [{ ...url, state: 'not-served' }] },
  };
  return Object.entries(results).flatMap(([name, rest]): Section[] => {
    const result = { to: 's3://bucket/landfall', files: uploaded, ...rest };
    const given = result as unknown as Parameters<typeof describeUpload>[0];
    return [
      [`landfall upload: ${name}`, describeUpload(given)],
      [`landfall upload --json: ${name}`, json(uploadJson(given))],
    ];
  });
}

function previewTexts(): Section[] {
  const reported = {
    ...{
      name: 'example',
      project: 'landfall-preview-example',
      folder: { path: '/home/me/preview' },
    },
    started: {
      state: { version: '1.2.0', ports: { https: 8443, http: 8080, ui: 3000, relay: 8081 } },
      target: { inside: { administrator: { email: 'me@example.com', password: 'the-password' } } },
      results: [],
    },
  } as unknown as Parameters<typeof describeStarted>[0];
  return [
    ['landfall preview', describeStarted(reported, { showPassword: true })],
    ['landfall preview, into a file', describeStarted(reported, { showPassword: false })],
    ['landfall preview --json', json(startedToJson(reported))],
    [
      'landfall preview down',
      describeRemoved('example', { containers: 3, networks: 1, volumes: 0, images: 2 } as never),
    ],
    ['landfall preview down, nothing', describeRemoved('example', {} as never)],
  ];
}

function quickstartText(): string {
  const checks = [
    { tool: 'openssl dgst -verify', state: 'ok', detail: 'signature of release.json' },
    { tool: 'sha256sum -c', state: 'missing', detail: 'sha256sum is not installed' },
  ] as const;
  const facts = { built: built.slice(0, 1), keyId: 'aaaa bbbb', checks, notes: ['a note'] };
  return describeQuickstart(facts, { path: 'user-data.yaml', size: 9000 }, (path) => path, {
    paint: marked,
    columns: 79,
  });
}

/** The notice without the texts of the licenses, which are files of the repository. */
async function noticeText(): Promise<string> {
  const zod = { name: 'zod', version: '4.6.7', license: 'MIT', licenseText: 'Copyright of zod\n' };
  const works = (await referenceWorks()).map((work) =>
    work.name === 'lobe' ? { ...work, carried: false } : work,
  );
  const text = await noticeOf({ product: 'landfall', version: '1.2.0', works, packages: [zod] });
  return text
    .toString()
    .split(/(?=\n-{80}\n)/)
    .map((part) => (/TEXT OF /.test(part) ? `${part.split('\n').slice(0, 4).join('\n')}\n` : part))
    .join('');
}
