import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Tagged } from './changed-image.ts';
import { type Cost, measure, medianOf } from './measure.ts';
import type { Landfall } from './rivals/landfall.ts';
import type { Rival } from './rivals/rival.ts';

interface Programs {
  readonly landfall: Landfall;
  /** Programs that fetch the same images, Landfall included. */
  readonly rivals: readonly Rival[];
}

/** Measures steps, collects their costs and prints each at once. */
export class Steps {
  readonly #folder: string;
  readonly #programs: Programs;
  readonly #costs = new Map<string, Cost[]>();

  /** @param folder the working directory of all programs */
  constructor(folder: string, programs: Programs) {
    this.#folder = folder;
    this.#programs = programs;
  }

  /** Measures every step of every program once. */
  async round(images: readonly Tagged[], changed: readonly Tagged[]): Promise<void> {
    const { landfall, rivals } = this.#programs;
    await this.#note('help', 'landfall --help', landfall.help());
    for (const rival of rivals) {
      await rival.reset();
      await this.#note('cold', rival.name, await rival.command(images));
      await this.#note('unchanged', rival.name, await rival.command(images));
      await this.#note('one changed layer', rival.name, await rival.command(changed));
    }
    const bundle = landfall.bundle();
    // As in a build, the new file replaces an earlier one.
    await this.#note('one changed layer', 'cp', ['cp', bundle, join(this.#folder, 'copy.tar')]);
    await this.#note('verify', 'landfall verify', landfall.verification());
    await this.#note('verify', 'sha256sum', ['sha256sum', bundle]);
  }

  /** Returns the medians by `step<tab>program`, grouped by step. */
  medians(): Map<string, Cost> {
    const steps = [...new Set([...this.#costs.keys()].map((key) => key.split('\t')[0]))];
    const grouped = steps.flatMap((step) =>
      [...this.#costs].filter(([key]) => key.startsWith(`${step}\t`)),
    );
    return new Map(grouped.map(([key, costs]) => [key, medianOf(costs)]));
  }

  /** Returns the size of the bundle in bytes. */
  async bundleSize(): Promise<number> {
    return (await stat(this.#programs.landfall.bundle())).size;
  }

  async #note(step: string, program: string, command: readonly string[]): Promise<void> {
    const cost = await measure(command, this.#folder);
    const key = `${step}\t${program}`;
    this.#costs.set(key, [...(this.#costs.get(key) ?? []), cost]);
    console.log(`  ${step}, ${program}: ${cost.cpu.toFixed(2)} CPU seconds`);
  }
}
