import { type StageName, stageNames } from '../../stage/stage.ts';

/** The expected duration of each stage in milliseconds. */
export type ExpectedTimes = Readonly<Record<StageName, number>>;

/** What the two largest stages move. */
interface Amounts {
  /** Whether a bundle contains images and models. */
  readonly kind: 'thin' | 'full';
  /** Bytes. */
  readonly images: number;
  readonly models: number;
}

/**
 * Seconds on a server with two cores. Those of `stack`, `tls` and `smoke` are assumptions: tests use
 * stand-ins for the slow components.
 */
const defaultTimes: Readonly<Partial<Record<StageName, number>>> = {
  ssh: 3,
  firewall: 11,
  ban: 8,
  runtime: 30,
  stack: 90,
  tls: 15,
  smoke: 30,
};
const otherwise = 1;

/** Assumed bytes per second: downloads at 64 Mbit/s; from a disk, Docker unpacks and models are hashed. */
const rates = {
  thin: { images: 8e6, models: 8e6 },
  full: { images: 40e6, models: 300e6 },
} as const;

/** Returns how long each stage is expected to take. */
export function expectedTimes({ kind, images, models }: Amounts): ExpectedTimes {
  const seconds: Readonly<Partial<Record<StageName, number>>> = {
    ...defaultTimes,
    images: images / rates[kind].images,
    models: models / rates[kind].models,
  };
  return Object.fromEntries(
    stageNames.map((name) => [name, 1000 * (seconds[name] ?? otherwise)]),
  ) as Record<StageName, number>;
}
