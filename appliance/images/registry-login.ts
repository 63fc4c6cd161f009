import { z } from 'zod';
import type { Host } from '../host/host.ts';
import { readJsonFile } from '../host/json-file.ts';
import { imageName } from '../host/pull/image-name.ts';

/** Credentials of `sudo docker login`. */
const clientSettings = 'root/.docker/config.json';
/** The key of Docker Hub in that file. */
const hub = 'https://index.docker.io/v1/';

const settingsSchema = z.object({
  auths: z
    .record(
      z.string(),
      z.object({ auth: z.string().optional(), identitytoken: z.string().optional() }),
    )
    .default({}),
});

/**
 * Returns the credentials of an image's registry for the header `X-Registry-Auth` (Docker Engine API,
 * Authentication); undefined if root is not logged in.
 */
export async function registryLogin(host: Host, reference: string): Promise<string | undefined> {
  const { registry } = imageName(reference);
  const serveraddress = registry === 'docker.io' ? hub : registry;
  const login = (await logins(host))[serveraddress];
  if (!login) return undefined;
  const [username = '', ...rest] = decoded(login.auth).split(':');
  const secret = login.identitytoken
    ? { identitytoken: login.identitytoken }
    : { username, password: rest.join(':') };
  return base64Url(JSON.stringify({ ...secret, serveraddress }));
}

/** Encodes by RFC 4648, section 5, with padding: Docker ignores a header without padding. */
function base64Url(text: string): string {
  return Buffer.from(text).toString('base64').replaceAll('+', '-').replaceAll('/', '_');
}

/** Reads the credentials; an invalid file of the administrator means anonymous pulls. */
async function logins(host: Host): Promise<z.infer<typeof settingsSchema>['auths']> {
  return (await readJsonFile(host, clientSettings, settingsSchema))?.auths ?? {};
}

function decoded(auth = ''): string {
  return Buffer.from(auth, 'base64').toString('utf8');
}
