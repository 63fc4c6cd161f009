import { z } from 'zod';
import { readText } from '../host/files.ts';
import type { Host } from '../host/host.ts';
import { imageName } from '../host/pull/image-name.ts';

/** Where `sudo docker login` leaves what it was given. */
const clientSettings = 'root/.docker/config.json';
/** The name that Docker's own hub has there. */
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
 * The login of an image's registry, as the engine wants it in the header `X-Registry-Auth` (Docker
 * Engine API, Authentication); undefined where root is not logged in.
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

/** RFC 4648, 5, with its padding: engines take it for no login without. */
function base64Url(text: string): string {
  return Buffer.from(text).toString('base64').replaceAll('+', '-').replaceAll('/', '_');
}

/** A file that nobody can read is that of a person, and no reason not to pull without a login. */
async function logins(host: Host): Promise<z.infer<typeof settingsSchema>['auths']> {
  try {
    return settingsSchema.parse(JSON.parse((await readText(host, clientSettings)) ?? '{}')).auths;
  } catch {
    return {};
  }
}

function decoded(auth = ''): string {
  return Buffer.from(auth, 'base64').toString('utf8');
}
