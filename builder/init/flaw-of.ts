import { siteSchema } from '#contract/site/site.ts';
import { secretLooks } from '../config/secret-signs.ts';
import type { SiteAnswers } from './answers.ts';
import { routeFor } from './site-template.ts';

const { release, admin, hosts, route } = siteSchema.shape;

/** What is wrong with one answer, or undefined; by the schema that judges the file as well. */
export function flawOf(field: keyof SiteAnswers, answer: string): string | undefined {
  const secret = secretLooks(answer);
  if (secret) return `This ${secret}, which has no place in user-data.`;
  const issues = issuesOf(field, answer);
  return issues && `It ${issues[0]?.message ?? 'cannot be used'}.`;
}

function issuesOf(field: keyof SiteAnswers, answer: string) {
  switch (field) {
    case 'releaseUrl':
      return release.safeParse([answer]).error?.issues;
    case 'uiHost':
      return hosts.safeParse({ ui: answer }).error?.issues;
    case 'email':
      return admin.shape.email.safeParse(answer).error?.issues;
    case 'routeUrl':
      return route.safeParse(routeFor(answer)).error?.issues;
    default:
      return undefined;
  }
}
