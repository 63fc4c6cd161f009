import semver from 'semver';
import type { z } from 'zod';
import { LandfallError } from '#contract/errors.ts';
import { parseImageName } from '../sources/image-name.ts';
import type { applianceSchema } from './appliance-schema.ts';

type Fields = Partial<z.infer<typeof applianceSchema>>;

/** A violation of a rule that the schema does not express. */
interface ApplianceProblem {
  readonly at: ReadonlyArray<string | number>;
  readonly message: string;
  readonly hint: string | undefined;
}

/**
 * Checks the rules that the schema does not express. Returns every problem.
 * @param appliance the fields that match the schema
 */
export function judgeAppliance(appliance: Fields): ApplianceProblem[] {
  return [...judgeImages(appliance), ...judgeUpdates(appliance), ...judgePlugin(appliance)];
}

/** Checks the syntax of image names, so that errors are reported before anything is fetched. */
function judgeImages({ components = {} }: Fields): ApplianceProblem[] {
  return Object.entries(components).flatMap(([name, { image }]) => {
    try {
      parseImageName(image);
      return [];
    } catch (error) {
      if (!(error instanceof LandfallError)) throw error;
      const at = ['components', name, 'image'];
      return [{ at, message: `components.${name}.image: ${error.message}`, hint: error.hint }];
    }
  });
}

function judgeUpdates({ version, updates_from: from }: Fields): ApplianceProblem[] {
  if (!from || !version || semver.lte(from, version)) return [];
  return [
    {
      at: ['updates_from'],
      message: `updates_from ${from} is newer than version ${version}`,
      hint: 'Set it to the oldest version that may update to this one, or remove it.',
    },
  ];
}

/** Checks that the plugin has a separate URL for each platform. */
function judgePlugin({ platforms, compose_plugin: plugin }: Fields): ApplianceProblem[] {
  if (!platforms || !plugin || platforms.length < 2) return [];
  return plugin.urls.flatMap((url, index) =>
    url.includes('{machine}')
      ? []
      : [
          {
            at: ['compose_plugin', 'urls', index],
            message: `compose_plugin.urls[${index}] is the same for every platform`,
            hint: 'Write {machine} instead of x86_64 or aarch64 in the URL.',
          },
        ],
  );
}
