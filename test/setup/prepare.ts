import type { Afterwards } from './afterwards.ts';
import type { Daemon } from './daemon.ts';
import { agreeTo, installMissing, missingPackages, type PackagePlan } from './packages/packages.ts';
import { programsFor } from './packages/programs.ts';
import { Preparation } from './preparation.ts';
import { providersWith } from './providers.ts';
import { sayOnScreen } from './say.ts';
import { type NeedName, reasonVariableOf, variableOf } from './variables.ts';
import type { TrueHostImageOptions } from './vm/true-host-image.ts';
import { openWorkspace } from './workspace.ts';

export interface PrepareOptions {
  /** Dependencies that exist already, such as the Docker of the user. */
  readonly given?: Partial<Record<NeedName, string>>;
  readonly trueHost?: TrueHostImageOptions;
  /** What {@link agreeToPackages} returned; without it, {@link prepare} asks. */
  readonly packages?: PackagePlan;
}

/**
 * Asks whether to install the missing Debian packages of dependencies. Await it before a run prints
 * anything else, or its output covers the question.
 */
export function agreeToPackages(names: readonly NeedName[]): Promise<PackagePlan> {
  return agreeTo(missingPackages(programsFor(names)), sayOnScreen);
}

/**
 * Prepares the requested real dependencies of the tests, and returns the environment variables that
 * describe them (`variables.ts`). Dependencies that are unavailable on this machine are omitted,
 * with the reason. `afterwards` stops every daemon and removes temporary files.
 */
export async function prepare(
  names: readonly NeedName[],
  afterwards: Afterwards,
  options: PrepareOptions = {},
): Promise<Record<string, string>> {
  return await (await openPreparation(names, afterwards, options))(names);
}

/**
 * Installs the packages of dependencies, and returns a function that prepares some of them like
 * {@link prepare}: each one once, when a suite that needs it begins.
 */
export async function openPreparation(
  names: readonly NeedName[],
  afterwards: Afterwards,
  { given = {}, trueHost = { preinstalled: false }, packages }: PrepareOptions = {},
): Promise<(some: readonly NeedName[]) => Promise<Record<string, string>>> {
  const say = sayOnScreen;
  const needs = names.filter((name) => given[name] === undefined);
  await installMissing(programsFor(needs), packages ?? (await agreeToPackages(needs)), say);
  const workspace = await openWorkspace();
  afterwards.add(() => workspace.remove());
  // Daemons start and stop in parallel; the workspace is removed last.
  const daemons: Daemon[] = [];
  afterwards.add(async () => {
    await Promise.all(daemons.map((daemon) => daemon.stop()));
  });
  const start = async (starting: Promise<Daemon>) => {
    const daemon = await starting;
    daemons.push(daemon);
    return daemon.answer;
  };
  const context = { workspace, say, start, trueHost, names };
  const providers = { ...providersWith(context), ...constants(given) };
  const preparation = new Preparation(providers, say);
  return async (some) => {
    await preparation.provide(some);
    return preparation.variables();
  };
}

/**
 * Prepares dependencies like {@link prepare}, and returns their values by name.
 * @throws Error naming the first that is unavailable
 */
export async function prepareAll<Name extends NeedName>(
  names: readonly Name[],
  afterwards: Afterwards,
): Promise<Readonly<Record<Name, string>>> {
  const variables = await prepare(names, afterwards);
  const values = names.map((name): [Name, string] => {
    const value = variables[variableOf(name)];
    if (value) return [name, value];
    throw new Error(`${name} is not available: ${variables[reasonVariableOf(name)]}`);
  });
  // The compiler cannot infer that the entries are the requested names.
  return Object.fromEntries(values) as Record<Name, string>;
}

function constants(given: Partial<Record<NeedName, string>>) {
  return Object.fromEntries(Object.entries(given).map(([name, value]) => [name, () => value]));
}
