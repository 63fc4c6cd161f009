import type { ReleaseModel } from '#contract/bundle/release.ts';
import { signInEmail } from '#contract/site/email.ts';
import type { Site } from '#contract/site/site.ts';
import { describeHostedOnly, type LocalModels, listedName } from '../stack/local-models.ts';

/** What the smoke tests and the user need to know about a rendered preview. */
interface PreviewFacts {
  /** Sign-in name of the chat UI's administrator. */
  readonly email: string;
  /** Why there is no local chat model; undefined when there is one. */
  readonly hostedOnly: string | undefined;
  readonly models: ReadonlyArray<{
    readonly name: string;
    readonly role: ReleaseModel['role'];
    readonly digest: string | null;
  }>;
}

/** Returns the facts of a preview, in the terms of the smoke tests. */
export function describePreview(site: Site, models: LocalModels): PreviewFacts {
  return {
    email: signInEmail(site),
    hostedOnly: describeHostedOnly(models),
    models: models.models.map((model) => ({
      name: listedName(model),
      role: model.role,
      digest: model.manifest,
    })),
  };
}
