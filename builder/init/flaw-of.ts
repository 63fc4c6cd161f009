import { siteSchema } from '#contract/site/site.ts';
import { webUrl } from '#contract/site/urls.ts';
import { secretLooks } from '#explain/secret-signs.ts';
import { hasPassword } from './given.ts';
import { routeFor } from './site-template.ts';

const { admin, hosts, mirrors, route, timezone } = siteSchema.shape;

const issuesOf = {
  releaseUrl: (text: string) => webUrl.safeParse(text).error?.issues,
  user: (text: string) => admin.shape.user.safeParse(text).error?.issues,
  uiHost: (text: string) => hosts.safeParse({ ui: text }).error?.issues,
  email: (text: string) => admin.shape.email.safeParse(text).error?.issues,
  proxyUrl: (text: string) => route.safeParse(routeFor(text)).error?.issues,
  aptMirror: (text: string) => mirrors.safeParse({ apt: text }).error?.issues,
  imageMirror: (text: string) =>
    mirrors.safeParse({ registries: { 'docker.io': text } }).error?.issues,
  timezone: (text: string) => timezone.safeParse(text).error?.issues,
  modelMirror: (text: string) => mirrors.safeParse({ models: text }).error?.issues,
};

/** Answers whose text is validated. */
export type AnswerName = keyof typeof issuesOf;

/**
 * Returns why an answer is invalid by the schema of site.yaml, or undefined if it is valid. The
 * password of a proxy is valid here; another question is about it.
 */
export function flawOf(name: AnswerName, answer: string): string | undefined {
  const isProxyPassword = name === 'proxyUrl' && hasPassword(answer);
  const secret = isProxyPassword ? undefined : secretLooks(answer);
  if (secret) return `The value ${secret}; user-data must not contain secrets.`;
  const issues = issuesOf[name](answer);
  return issues && `The value ${issues[0]?.message ?? 'is not valid'}.`;
}
