import { routeEnvironment } from '../../../host/download/route-environment.ts';
import { envFile } from '../../env-file.ts';
import { type RenderedFile, secretFile } from '../../rendered-file.ts';
import type { StackInput } from '../../stack-input.ts';

/**
 * Renders how certbot reaches the outside. A file and not an environment, because the address of a
 * proxy may hold its password.
 */
export function renderAcme({ site }: StackInput): RenderedFile[] {
  return [secretFile('acme/secrets.env', envFile(routeEnvironment(site)), 'acme')];
}
