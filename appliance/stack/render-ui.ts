import { envFile } from './env-file.ts';
import { type RenderedFile, secretFile, uids } from './rendered-file.ts';
import type { StackInput } from './stack-input.ts';

/** The name that the UI's administrator signs in with. */
export function administratorEmail({ admin }: StackInput['site']): string {
  return admin.email ?? `${admin.user}@localhost`;
}

/**
 * What Open WebUI reads at its start: the signing key, and the administrator that it makes while
 * there is no user yet, before it answers its first request.
 */
export function renderUi({ site, secrets }: StackInput): RenderedFile[] {
  const content = envFile({
    WEBUI_SECRET_KEY: secrets.WEBUI_SECRET_KEY ?? '',
    WEBUI_ADMIN_EMAIL: administratorEmail(site),
    WEBUI_ADMIN_PASSWORD: secrets.WEBUI_ADMIN_PASSWORD ?? '',
    WEBUI_ADMIN_NAME: site.admin.user,
  });
  return [secretFile('ui/secrets.env', content, uids.root)];
}
