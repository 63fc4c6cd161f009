import { siteSchema } from '#contract/site/site.ts';
import { webUrl } from '#contract/site/urls.ts';
import { secretLooks } from '#explain/secret-signs.ts';
import type { SiteAnswers } from './answers.ts';
import { routeFor } from './site-template.ts';

const { admin, hosts, route } = siteSchema.shape;

/** Returns why an answer is invalid by the schema of site.yaml, or undefined if it is valid. */
export function flawOf(field: keyof SiteAnswers, answer: string): string | undefined {
  const secret = secretLooks(answer);
  if (secret) return `The value ${secret}; user-data must not contain secrets.`;
  const issues = issuesOf(field, answer);
  return issues && `The value ${issues[0]?.message ?? 'is not valid'}.`;
}

function issuesOf(field: keyof SiteAnswers, answer: string) {
  switch (field) {
    case 'releaseUrls':
      return answer === 'push' ? undefined : webUrl.safeParse(answer).error?.issues;
    case 'uiHost':
      return hosts.safeParse({ ui: answer }).error?.issues;
    case 'email':
      return admin.shape.email.safeParse(answer).error?.issues;
    case 'route':
      return route.safeParse(routeFor(answer)).error?.issues;
    default:
      return undefined;
  }
}
