import { findModel } from './generate/generate.ts';
import { capabilitiesOf } from './models/capabilities.ts';
import type { Memory } from './models/memory.ts';
import { parseModelName } from './models/model-name.ts';
import { displayName, type ModelStore, type StoredModel, sizeOf } from './models/model-store.ts';
import { failure, json } from './replies.ts';

const details = {
  parent_model: '',
  format: 'gguf',
  family: 'llama',
  families: ['llama'],
  parameter_size: '130K',
  quantization_level: 'F32',
} as const;

/** `GET /api/tags`: returns an empty list before the first pull (SPEC 4, E1). */
export async function tags(store: ModelStore): Promise<Response> {
  const models = await store.list();
  return json({ models: await Promise.all(models.map((model) => record(model, store))) });
}

async function record(model: StoredModel, store: ModelStore): Promise<object> {
  const name = displayName(model);
  const { digest, manifest, modified } = model;
  const modifiedAt = modified.toISOString();
  return {
    name,
    model: name,
    modified_at: modifiedAt,
    size: sizeOf(manifest),
    digest,
    details,
    capabilities: await capabilitiesOf(model, store),
  };
}

/** `GET /api/ps`: lists the loaded models. */
export function running(memory: Memory): Response {
  const models = memory.list().map(({ model, expires }) => {
    const name = displayName(model);
    const size = sizeOf(model.manifest);
    return {
      ...{ name, model: name, size, digest: model.digest, details },
      ...{ expires_at: expires.toISOString(), size_vram: 0, context_length: 512 },
    };
  });
  return json({ models });
}

/** `POST /api/show`. The original names an unknown model with its tag. */
export async function show(asked: string, store: ModelStore): Promise<Response> {
  if (asked === '') return failure(400, 'model is required');
  const model = await findModel(asked, store);
  if (!model) return failure(404, `model '${withTag(asked)}' not found`);
  return json({
    modelfile: `FROM ${displayName(model)}\n`,
    details,
    model_info: { 'general.architecture': 'llama', 'llama.context_length': 512 },
    capabilities: await capabilitiesOf(model, store),
    modified_at: model.modified.toISOString(),
  });
}

/** `POST /api/copy`. */
export async function copy(
  { source = '', destination = '' }: { source?: string; destination?: string },
  store: ModelStore,
): Promise<Response> {
  const from = await findModel(source, store);
  if (!from) return failure(404, `model "${source}" not found`);
  const to = parseModelName(destination);
  if (!to) return failure(400, `destination "${destination}" is invalid`);
  await store.copy(from, to);
  return new Response(null, { status: 200 });
}

/** `DELETE /api/delete`. */
export async function remove(asked: string, store: ModelStore, memory: Memory): Promise<Response> {
  const model = await findModel(asked, store);
  if (!model) return failure(404, `model '${asked}' not found`);
  await memory.unload(model);
  await store.remove(model);
  return new Response(null, { status: 200 });
}

function withTag(name: string): string {
  return /:[^/]*$/.test(name) ? name : `${name}:latest`;
}
