import { createServer, type Server } from 'node:http';
import { tinyModel } from './put-tiny-model.ts';

/** Ollama's registry as far as a pull goes: blobs are elsewhere, save those of `plain`. */
export async function startTinyRegistry(): Promise<Server> {
  const models = { library: tinyModel(3), plain: tinyModel(4) };
  const server = createServer((request, response) => {
    const [, , namespace = '', model, kind, reference = ''] = (request.url ?? '').split('/');
    if (namespace === 'elsewhere') {
      response.end(models.library.blobs.get(model ?? ''));
      return;
    }
    const known = namespace === 'plain' ? models.plain : models.library;
    if (model !== 'tiny') response.writeHead(404).end();
    else if (kind === 'manifests') response.end(known.manifest);
    else if (namespace === 'plain') response.end(known.blobs.get(reference));
    else response.writeHead(307, { location: `/v2/elsewhere/${reference}` }).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}
