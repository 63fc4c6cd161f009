import type { UiSettings } from './settings.ts';

interface Listed {
  readonly id: string;
  readonly name: string;
  readonly object: 'model';
  readonly owned_by: 'ollama' | 'openai';
}

/** `GET /api/models`: lists those of Ollama and of every service that responds, if allowed. */
export async function models(
  settings: UiSettings,
  mayUse: (model: string) => boolean,
): Promise<Response> {
  const local = await localModels(settings);
  const hosted = await Promise.all(settings.hosted.map((service) => hostedModels(service)));
  return Response.json({
    data: [...local, ...hosted.flat()].filter(({ id }) => mayUse(id)),
  });
}

/** `POST /api/chat/completions`: forwards to Ollama, or to the service that has the model. */
export async function complete(
  body: { readonly model?: string },
  settings: UiSettings,
): Promise<Response> {
  const { model = '' } = body;
  const service = await serviceOf(model, settings);
  const answer = await fetch(
    service ? `${service.base}/chat/completions` : `${settings.engine}/v1/chat/completions`,
    {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(service ? { authorization: `Bearer ${service.key}` } : {}),
      },
      body: JSON.stringify(body),
    },
  );
  const type = answer.headers.get('content-type') ?? 'application/json';
  return new Response(answer.body, { status: answer.status, headers: { 'content-type': type } });
}

async function localModels({ engine }: UiSettings): Promise<Listed[]> {
  const answer = await fetch(`${engine}/api/tags`);
  const { models: list } = (await answer.json()) as { models: Array<{ name: string }> };
  return list.map(({ name }) => ({ id: name, name, object: 'model', owned_by: 'ollama' }));
}

/** A service that does not respond has no models. */
async function hostedModels({
  base,
  key,
  models: chosen,
}: UiSettings['hosted'][number]): Promise<Listed[]> {
  if (chosen.length > 0) return chosen.map(hosted);
  const headers = { authorization: `Bearer ${key}` };
  const answer = await fetch(`${base}/models`, { headers }).catch(() => undefined);
  if (!answer?.ok) return [];
  const { data } = (await answer.json()) as { data: Array<{ id: string }> };
  return data.map(({ id }) => hosted(id));
}

function hosted(id: string): Listed {
  return { id, name: id, object: 'model', owned_by: 'openai' };
}

export async function serviceOf(
  model: string,
  { hosted }: UiSettings,
): Promise<UiSettings['hosted'][number] | undefined> {
  for (const service of hosted) {
    if ((await hostedModels(service)).some(({ id }) => id === model)) return service;
  }
  return undefined;
}
