import { LandfallError } from '#contract/errors.ts';
import type { CodeHostAccess } from './code-host.ts';

const repositoryPattern = /^[A-Za-z0-9][A-Za-z0-9-]{0,38}\/[A-Za-z0-9._-]{1,100}$/;
const defaultApi = 'https://api.github.com';

/**
 * Reads the access to the code host from GITHUB_API_URL, GITHUB_REPOSITORY and GITHUB_TOKEN, which a
 * workflow has. The token is accepted from the environment only, because arguments are visible to
 * other users.
 * @throws LandfallError USAGE for a missing or invalid variable
 */
export function codeHostAccess(env: NodeJS.ProcessEnv): CodeHostAccess {
  const { GITHUB_API_URL: api = defaultApi, GITHUB_REPOSITORY: repository = '' } = env;
  const { GITHUB_TOKEN: token = '' } = env;
  if (!repositoryPattern.test(repository)) {
    throw missing('GITHUB_REPOSITORY', 'Set it to owner/name.');
  }
  // A line break would end the header.
  if (!/^[\x21-\x7e]{1,4096}$/.test(token)) {
    throw missing('GITHUB_TOKEN', 'Set it to a token with the permission contents:write.');
  }
  const url = URL.canParse(api) ? new URL(api) : undefined;
  const isLoopback = url?.protocol === 'http:' && url.hostname === '127.0.0.1';
  if (!url || (url.protocol !== 'https:' && !isLoopback)) {
    throw missing('GITHUB_API_URL', `Set it to an https URL, such as ${defaultApi}.`);
  }
  return { api: url, repository, token, env };
}

function missing(variable: string, hint: string): LandfallError {
  return new LandfallError('USAGE', `the environment variable ${variable} is missing or invalid`, {
    hint,
  });
}
