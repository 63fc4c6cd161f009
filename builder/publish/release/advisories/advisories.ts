import { z } from 'zod';
import { LandfallError } from '#contract/errors.ts';
import { parseJson } from '#contract/text/json.ts';
import { codeOf } from '../../../bundle/diff/print-markdown.ts';
import {
  type Lock,
  type LockedImage,
  lockedReference,
  unresolved,
} from '../../../inputs/lock/lock.ts';

interface Scanned {
  readonly changes: readonly AdvisoryChange[];
  /** Components without a locked digest, or without an image in one of the locks. */
  readonly skipped: readonly string[];
}

/** Runs the scanner with arguments, and returns its standard output. */
type Scanner = (args: readonly string[]) => Promise<string>;

/**
 * Scans the images of two locks by digest and compares their advisories. An image of both locks is
 * scanned once.
 * @throws LandfallError COMMAND_FAILED when the scanner prints no report
 */
export async function scanLocks(before: Lock, after: Lock, run: Scanner): Promise<Scanned> {
  const known = new Map<string, Promise<Advisory[]>>();
  const scan = (image: LockedImage) => {
    const reference = lockedReference(image);
    if (!/@sha256:[0-9a-f]{64}$/.test(reference) || reference.startsWith('-')) {
      throw new LandfallError('LOCK_INVALID', `${image.image} cannot be scanned`, {
        hint: 'Use an image of a registry.',
      });
    }
    const report = known.get(reference) ?? run(argumentsFor(reference)).then(readReport);
    known.set(reference, report);
    return report;
  };
  const changes: AdvisoryChange[] = [];
  const skipped: string[] = [];
  for (const [component, image] of Object.entries(after.images)) {
    const old = before.images[component];
    const isLocked = image.index !== unresolved && old && old.index !== unresolved;
    // One at a time: a scan unpacks an image of gigabytes.
    if (isLocked) changes.push(compareAdvisories(component, await scan(old), await scan(image)));
    else skipped.push(component);
  }
  return { changes, skipped };
}

/** Images are downloaded from their registry, without Docker, for the platform of most servers. */
function argumentsFor(reference: string): string[] {
  return [`registry:${reference}`, '--platform', 'linux/amd64', '-o', 'json', '--quiet'];
}

const severities = ['Critical', 'High', 'Medium', 'Low', 'Negligible', 'Unknown'] as const;

/** An advisory for a package of an image. */
interface Advisory {
  /** Such as CVE-2026-1234 or GHSA-…. */
  readonly id: string;
  readonly severity: (typeof severities)[number];
  readonly package: string;
}

/** The fields of `grype -o json` that are used. */
const reportSchema = z.object({
  matches: z.array(
    z.object({
      vulnerability: z.object({
        id: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9:._-]{2,63}$/),
        severity: z.enum(severities).catch('Unknown'),
      }),
      artifact: z.object({ name: z.string().max(512) }),
    }),
  ),
});

/**
 * Parses the report of a scan; the most severe advisories come first.
 * @throws LandfallError COMMAND_FAILED when it is not a report of grype
 */
export function readReport(text: string): Advisory[] {
  const report = reportSchema.safeParse(parseJson(text));
  if (!report.success) {
    throw new LandfallError('COMMAND_FAILED', 'the scanner printed no report', {
      hint: 'Check that --grype names grype 0.100 or newer.',
      cause: report.error,
    });
  }
  const advisories = report.data.matches.map(({ vulnerability, artifact }) => ({
    ...vulnerability,
    package: artifact.name,
  }));
  const distinct = new Map(advisories.map((each) => [`${each.id} ${each.package}`, each]));
  return [...distinct.values()].sort((one, other) => rankOf(one) - rankOf(other));
}

function rankOf({ severity }: Advisory): number {
  return severities.indexOf(severity);
}

/** The advisories of one component before and after an update. */
interface AdvisoryChange {
  readonly component: string;
  readonly fixed: readonly Advisory[];
  readonly added: readonly Advisory[];
  /** Advisories of both images. */
  readonly remaining: readonly Advisory[];
}

/** Compares the advisories of two images of a component. */
function compareAdvisories(
  component: string,
  before: readonly Advisory[],
  after: readonly Advisory[],
): AdvisoryChange {
  const keyOf = ({ id, package: name }: Advisory) => `${id} ${name}`;
  const [old, now] = [before, after].map((each) => new Set(each.map(keyOf)));
  return {
    component,
    fixed: before.filter((each) => !now?.has(keyOf(each))),
    added: after.filter((each) => !old?.has(keyOf(each))),
    remaining: after.filter((each) => old?.has(keyOf(each))),
  };
}

/** A pull request has at most 65,536 characters, and the differences of the lock come first. */
const maxListed = 30;

/** Formats the advisories of an update for a pull request: those that it fixes, adds and leaves. */
export function advisoriesMarkdown(
  changes: readonly AdvisoryChange[],
  skipped: readonly string[],
): string {
  const rows = changes.map(({ component, fixed, added, remaining }) =>
    ['', codeOf(component), fixed.length, added.length, remaining.length, ''].join(' | ').trim(),
  );
  const table =
    rows.length === 0
      ? ['No image was compared.']
      : ['| component | fixed | new | remaining |', '|---|---|---|---|', ...rows];
  return [
    '## Vulnerabilities',
    '',
    ...table,
    ...section('Fixed', changes, ({ fixed }) => fixed),
    ...section('New', changes, ({ added }) => added),
    ...(skipped.length > 0 ? ['', `Not scanned: ${skipped.map(codeOf).join(', ')}.`] : []),
    '',
  ].join('\n');
}

function section(
  title: string,
  changes: readonly AdvisoryChange[],
  select: (change: AdvisoryChange) => readonly Advisory[],
): string[] {
  const lines = changes.flatMap((change) =>
    select(change).map(
      ({ id, severity, package: name }) =>
        `- ${id} (${severity}): ${codeOf(name)} in ${codeOf(change.component)}`,
    ),
  );
  if (lines.length === 0) return [];
  const more = lines.length - maxListed;
  const rest = more > 0 ? [`- and ${more} more`] : [];
  return ['', `### ${title}`, '', ...lines.slice(0, maxListed), ...rest];
}
