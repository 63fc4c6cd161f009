import type { Readable, Writable } from 'node:stream';
import { multiselect } from '@clack/prompts';
import { knownProviders, providerTable } from '#contract/known-providers.ts';
import { unlessCancelled } from './unless-cancelled.ts';

/** Prompts for providers from a list; other ones can be added to site.yaml. Returns their base URLs. */
export async function askForProviders(streams: {
  readonly input: Readable;
  readonly output: Writable;
}): Promise<Record<string, string>> {
  const options = Object.entries(providerTable).map(([name, { title, baseUrl }]) => ({
    value: name,
    label: `${title}: ${baseUrl}`,
  }));
  const message = 'Hosted providers for the relay (optional; space selects)';
  const names = await unlessCancelled(
    await multiselect({ ...streams, message, options, required: false }),
  );
  return Object.fromEntries(names.map((name) => [name, knownProviders[name] ?? '']));
}
