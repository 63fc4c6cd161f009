import { LandfallError } from '#contract/errors.ts';
import { type Lock, type LockedImage, unresolved } from '../../lock/lock.ts';
import { lockedReference } from '../../lock/locked-reference.ts';
import { type AdvisoryChange, compareAdvisories } from './compare-advisories.ts';
import { type Advisory, readReport } from './grype-report.ts';

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
