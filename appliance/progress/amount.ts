import type { Amount } from '../stage/reporter.ts';

const units = ['bytes', 'kB', 'MB', 'GB', 'TB'] as const;

/** How far something is, for people: `1.2 of 4.3 GB`, `3 of 7 images`. */
export function describeAmount({ done, total, unit }: Amount): string {
  if (unit !== 'bytes') return `${done} of ${total} ${unit}`;
  const power = powerOf(total);
  return `${scaled(done, power)} of ${scaled(total, power)} ${units[power]}`;
}

/** Bytes as disks are sold: `5.2 GB`. */
export function formatBytes(bytes: number): string {
  const power = powerOf(bytes);
  return `${scaled(bytes, power)} ${units[power]}`;
}

function powerOf(bytes: number): number {
  return Math.min(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), units.length - 1);
}

function scaled(bytes: number, power: number): string {
  return (bytes / 1000 ** power).toFixed(power > 1 ? 1 : 0);
}

/** The part that is done, from 0 to 1. */
export function fraction({ done, total }: Pick<Amount, 'done' | 'total'>): number {
  return total > 0 ? Math.min(Math.max(done / total, 0), 1) : 0;
}

/** An amount that makes sense, or nothing: what counts may count wrongly. */
export function soundAmount({ done, total, unit }: Amount): Amount | undefined {
  if (!Number.isFinite(done) || !Number.isFinite(total) || total <= 0) return undefined;
  return { done: Math.min(Math.max(done, 0), total), total, unit };
}
