import { routeEnvironment } from '../../../../server/host/download/route-environment.ts';
import { envFile, type RenderedFile, secretFile } from '../../rendered-file.ts';
import type { StackInput } from '../../stack-input.ts';

/**
 * Renders certbot's proxy variables. They are in a file and not in the environment, because the URL of
 * a proxy may contain its password.
 */
export function renderAcme({ site }: StackInput): RenderedFile[] {
  return [secretFile('acme/secrets.env', envFile(routeEnvironment(site, 'container')), 'acme')];
}
