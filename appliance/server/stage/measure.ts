import { install, missing, type Service } from '../host/service.ts';
import type { Context } from './stage.ts';

/** One independent part of a stage: a small stage. */
export interface Measure {
  /** Describes what would be done, one line per action; empty if nothing. Changes nothing. */
  check(context: Context): Promise<readonly string[]>;
  /** Idempotent. */
  apply(context: Context): Promise<void>;
  /** Verifies what is in effect. @throws LandfallError */
  prove?(context: Context): Promise<void>;
}

/** Returns the measure that installs a service, or removes an unwanted one. */
export function serviceMeasure(
  serviceOf: (context: Context) => Service | Promise<Service>,
  prove?: Measure['prove'],
): Measure {
  return {
    check: async (context) => await missing(context.host, await serviceOf(context)),
    apply: async (context) => {
      await install(context.host, await serviceOf(context), context.report);
    },
    ...(prove ? { prove } : {}),
  };
}

/** Checks measures one after another. */
export async function checkMeasures(
  measures: readonly Pick<Measure, 'check'>[],
  context: Context,
): Promise<string[]> {
  const todo: string[] = [];
  for (const measure of measures) todo.push(...(await measure.check(context)));
  return todo;
}
