/** The commit that a hosted workflow builds, and the workflow. */
export interface BuildOrigin {
  /** `git+https://github.com/OWNER/landfall@refs/tags/v1.2.0` */
  readonly source: string;
  /** 40 or 64 hex digits. */
  readonly commit: string;
  /** URL of the workflow at its revision. Undefined on a runner that the code host does not operate. */
  readonly builderId: string | undefined;
}

const segment = '[A-Za-z0-9._-]{1,100}';
const ref = 'refs/(?:heads|tags|pull)/(?!.*\\.\\.)[A-Za-z0-9._/@+-]{1,200}';
/** What the variables of a workflow contain. Anything else could change the meaning of the URLs. */
const patterns = {
  GITHUB_SERVER_URL: /^https:\/\/[a-z0-9][a-z0-9.-]{0,252}(?::\d{1,5})?$/,
  GITHUB_REPOSITORY: new RegExp(`^${segment}/${segment}$`),
  GITHUB_REF: new RegExp(`^${ref}$`),
  GITHUB_SHA: /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/,
  GITHUB_WORKFLOW_REF: new RegExp(`^${segment}/${segment}/\\.github/workflows/${segment}@${ref}$`),
} as const;

/**
 * Returns the commit and the workflow that the environment of a workflow names. Undefined outside of a
 * workflow, and after a warning if a variable is missing or invalid.
 */
export function buildOrigin(
  env: NodeJS.ProcessEnv,
  warn: (text: string) => void,
): BuildOrigin | undefined {
  if (env.GITHUB_ACTIONS !== 'true') return undefined;
  const invalid = Object.entries(patterns)
    .filter(([name, pattern]) => !pattern.test(env[name] ?? ''))
    .map(([name]) => name);
  if (invalid.length > 0) {
    warn(`the provenance names no commit: missing or invalid variable ${invalid.join(', ')}`);
    return undefined;
  }
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: repository } = env;
  return {
    source: `git+${server}/${repository}@${env.GITHUB_REF}`,
    commit: env.GITHUB_SHA ?? '',
    builderId:
      env.RUNNER_ENVIRONMENT === 'github-hosted'
        ? `${server}/${env.GITHUB_WORKFLOW_REF}`
        : undefined,
  };
}
