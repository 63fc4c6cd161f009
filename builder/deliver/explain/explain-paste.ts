import type { Release } from '#contract/bundle/release.ts';
import { LandfallError } from '#contract/errors.ts';
import { bootFolder, bootSettingsFile, siteFile } from '#contract/server-paths.ts';
import type { Site } from '#contract/site/site.ts';
import type { PinnedRelease } from '../../bundle/released/pinned-release.ts';
import type { Format } from '../user-data/providers.ts';
import { refuseMissingComponents } from '../user-data/refuse-missing-components.ts';
import { compareFiles } from './compare-files.ts';
import { compareLines } from './compare-lines.ts';
import { compareSettings } from './compare-settings.ts';
import { noContent, type ReadContent } from './content.ts';
import { renderAgain } from './expected.ts';
import { factsOf, type PasteFacts } from './facts.ts';
import { type Finding, findingsOf } from './finding.ts';
import { type Paste, readPaste } from './read-paste.ts';
import type { ComparedScript } from './scripts.ts';

/** What user-data does, and everything in it that Landfall would not write. */
export interface Explanation {
  readonly format: Format | 'other';
  /** Whether a verified release was given. */
  readonly isCompared: boolean;
  /** The first verified release. */
  readonly release: Release | undefined;
  readonly facts: PasteFacts;
  readonly scripts: readonly ComparedScript[];
  /** Empty: byte for byte what Landfall writes for this release. */
  readonly findings: readonly Finding[];
}

interface ExplainOptions {
  /** Name of the user-data, for errors. */
  readonly file: string;
  /** Verified releases; empty if none is given. */
  readonly releases: readonly PinnedRelease[];
}

/** More findings than a reader needs. */
const maxFindings = 200;

/**
 * Explains user-data of another person. It is rendered again from its own site and the release, and every
 * difference is a finding, so that text which two parsers read differently is a finding too.
 * @throws LandfallError CONFIG_TOO_LARGE, CONFIG_ENCODING, CONFIG_SYNTAX; USER_DATA_MISMATCH for releases
 * that do not belong together; USAGE for gzip in a web page
 */
export function explainPaste(bytes: Uint8Array, { file, releases }: ExplainOptions): Explanation {
  const paste = readPaste(bytes, file);
  const facts = factsOf(paste.content);
  const { scripts, findings } = compare(paste, facts, releases);
  const all = [...paste.findings, ...paste.content.findings, ...facts.findings, ...findings];
  const isCompared = releases.length > 0;
  return {
    format: paste.format,
    isCompared,
    release: releases[0]?.release,
    facts,
    scripts,
    findings: findingsOf(inOrder(all), maxFindings, (each) => each),
  };
}

function compare(
  paste: Paste,
  facts: PasteFacts,
  releases: readonly PinnedRelease[],
): Pick<Explanation, 'scripts' | 'findings'> {
  const { content, text } = paste;
  if (!isOfLandfall(content)) {
    const all = [...compareSettings(content, noContent), ...compareFiles(content, noContent)];
    return { scripts: [], findings: [notOfLandfall, ...all] };
  }
  const expected = renderAgain(paste, facts, releases);
  const findings = [
    ...(facts.site ? missingFromRelease(facts.site, releases) : []),
    ...expected.findings,
    ...compareSettings(content, expected.content),
    ...compareFiles(content, expected.content),
  ];
  const known = [...paste.findings, ...content.findings, ...facts.findings, ...findings];
  const covered = known.flatMap(({ covers }) => covers ?? []);
  const whole = known.length > 0 ? withBoundaryOf(text, expected.text) : expected.text;
  return {
    scripts: expected.scripts,
    findings: [...findings, ...compareLines(text, whole, covered)],
  };
}

function isOfLandfall({ files }: ReadContent): boolean {
  return files.some(
    ({ path }) =>
      path === `/${siteFile}` ||
      path === `/${bootSettingsFile}` ||
      path.startsWith(`/${bootFolder}/`),
  );
}

const notOfLandfall: Finding = {
  ...{ kind: 'format', subject: 'landfall' },
  text: {
    en: 'this is not user-data of Landfall: it writes none of its files',
    zh: '这不是 Landfall 的 user-data：其中没有 Landfall 的文件',
  },
};

/** `landfall user-data` rejects a site that needs what its release lacks. */
function missingFromRelease(site: Site, releases: readonly PinnedRelease[]): Finding[] {
  try {
    refuseMissingComponents(site, releases);
    return [];
  } catch (error) {
    if (!(error instanceof LandfallError)) throw error;
    return error.problems.map(
      ({ message }): Finding => ({
        ...{ kind: 'site', subject: 'release' },
        text: {
          en: `the site does not fit the release: ${message}`,
          zh: `站点与该版本不符：${message}`,
        },
      }),
    );
  }
}

/** The boundary of a message is a digest of its content, which has findings of its own. */
function withBoundaryOf(text: string, expected: string): string {
  const pattern = /^Content-Type: multipart\/mixed; boundary="(landfall-[0-9a-f]{32})"/;
  const [own, other] = [text, expected].map((each) => pattern.exec(each)?.[1]);
  return own !== undefined && other !== undefined ? expected.replaceAll(other, own) : expected;
}

function inOrder(findings: readonly Finding[]): Finding[] {
  return findings.toSorted((one, other) => (one.line ?? 0) - (other.line ?? 0));
}
