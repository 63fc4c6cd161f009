import type { Release } from '#contract/release.ts';
import type { Server } from '../host/server.ts';
import { modelSize } from './model-size.ts';
import { inGigabytes } from './plan-disk.ts';

/** What a model needs beside its weights: its context, the chat UI, the system. */
const beside = 2.5e9;

/**
 * Warns of models that a server of this size will run slowly or not at all (SPEC 8: from 4 cores
 * and 8 GB for a 7B-class model). No reason to refuse it: hosted providers need no model.
 */
export function warnOfModels({ memory, cpus }: Server, { models }: Release): string[] {
  return models.flatMap((model) => {
    const { name } = model;
    const size = modelSize(model);
    if (memory < size + beside) {
      return [
        `${name} wants about ${inGigabytes(size + beside)} of memory, this server has ${inGigabytes(memory)}: take a smaller model, or expect it to be slow or not to start`,
      ];
    }
    return cpus < 4 && size > 2e9 ? [`${name} will be slow on ${cpus} processors`] : [];
  });
}
