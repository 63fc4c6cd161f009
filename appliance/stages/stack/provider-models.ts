import { z } from 'zod';
import { selectableComponents } from '#contract/component-names.ts';
import { providerModelsFile } from '#contract/server-paths.ts';
import { openaiProviders } from '#contract/site/providers/provider-api.ts';
import type { Site } from '#contract/site/site.ts';
import { readAtMost } from '#contract/text/bytes.ts';
import { readJson } from '#contract/text/json.ts';
import type { Host } from '../../server/host/host.ts';
import { StateFile } from '../../server/host/state-file.ts';
import { readSecrets } from '../secrets/secret-values.ts';

/** Without characters that have a meaning in the lists of the front-ends. */
const modelName = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._:/-]{0,127}$/);

/** The stored lists by the provider's name. Another base URL has other models. */
const storedSchema = z.record(
  z.string(),
  z.strictObject({ base_url: z.string(), models: z.array(modelName) }),
);
type Stored = z.infer<typeof storedSchema>;
const storedModels = new StateFile(providerModelsFile, storedSchema, { initial: {}, isLine: true });

/** OpenAI's list of models. */
const listSchema = z.object({ data: z.array(z.object({ id: z.string() })) });

/** Milliseconds for one list. */
const timeout = 15_000;
/** Bytes of a list. OpenRouter's has 0.5 MB. */
const maxList = 4 << 20;
/** Models of one provider. */
const maxModels = 400;

/** The models that providers listed, by the provider's name in the site. */
export type ProviderModels = ReadonlyMap<string, readonly string[]>;

/** Returns the models that the providers of the site listed. */
export async function readProviderModels(host: Host, site: Site): Promise<ProviderModels> {
  const stored = new Map(Object.entries(await storedModels.read(host)));
  return new Map(
    openaiProviders(site).flatMap(([name, { base_url }]) => {
      const list = stored.get(name);
      return list?.base_url === base_url ? [[name, list.models] as const] : [];
    }),
  );
}

/**
 * Requests the lists of the providers through the relay and stores them, if the site has a front-end that
 * needs them: Open WebUI reads the lists itself. A provider without a list, or that does not respond, keeps its
 * previous one.
 * @returns whether a list has changed
 */
export async function refreshProviderModels(host: Host, site: Site): Promise<boolean> {
  if (!selectableComponents.some((name) => site.components[name])) return false;
  const key = (await readSecrets(host, site)).RELAY_KEY_OWNER ?? '';
  const before = await readProviderModels(host, site);
  const stored = new Map<string, Stored[string]>();
  for (const [name, { base_url, models: named }] of openaiProviders(site)) {
    if (named !== undefined) continue;
    const listed = await host.outside.measure(() => listOf(site, name, key));
    const models = [...(listed ?? before.get(name) ?? [])];
    if (models.length > 0) stored.set(name, { base_url, models });
  }
  const after = [...stored].map(([name, { models }]) => [name, models]);
  if (JSON.stringify(after) === JSON.stringify([...before])) return false;
  await storedModels.write(host, Object.fromEntries(stored));
  return true;
}

/** Returns the models of a provider in its order; undefined if it has no list or does not respond. */
async function listOf(site: Site, provider: string, key: string): Promise<string[] | undefined> {
  const url = `http://127.0.0.1:${site.ports.relay}/${provider}/v1/models`;
  try {
    const response = await fetch(url, {
      headers: { authorization: `Bearer ${key}` },
      signal: AbortSignal.timeout(timeout),
    });
    if (!response.ok || response.body === null) return undefined;
    const list = readJson(listSchema, await readAtMost(response.body, maxList));
    const names = list?.data.flatMap(({ id }) => modelName.safeParse(id).data ?? []) ?? [];
    return names.length > 0 ? [...new Set(names)].slice(0, maxModels) : undefined;
  } catch {
    return undefined;
  }
}
