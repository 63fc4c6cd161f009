import semver from 'semver';
import type { z } from 'zod';
import { type FieldProblem, LandfallError } from '#contract/errors.ts';
import { explain, inOrder, locate } from '#explain/explain.ts';
import { validFields } from '#explain/valid-fields.ts';
import type { YamlFile } from '#yaml/parse.ts';
import { parseImageName } from '../sources/image-name.ts';
import { applianceSchema } from './appliance-schema.ts';

/** The fields of appliance.yaml with all defaults. */
export type ApplianceFields = z.infer<typeof applianceSchema>;

/**
 * Returns the appliance that a file describes.
 * @throws LandfallError CONFIG_INVALID with every problem at once
 */
export function parseAppliance(file: YamlFile): ApplianceFields {
  const parsed = applianceSchema.safeParse(file.value);
  const problems = inOrder([
    ...(parsed.error ? explain(parsed.error, file, applianceSchema) : []),
    ...locate(checkAppliance(validFields(applianceSchema, file.value)), file),
  ]);
  if (parsed.success && problems.length === 0) return parsed.data;
  throw new LandfallError('CONFIG_INVALID', `${file.path} is not a valid appliance`, {
    hint: 'Fix the problems above. `landfall schema appliance` describes every key.',
    problems,
  });
}

type Fields = Partial<z.infer<typeof applianceSchema>>;

/**
 * Checks the rules that the schema does not express. Returns every problem.
 * @param appliance the fields that match the schema
 */
function checkAppliance(appliance: Fields): FieldProblem[] {
  return [...checkImages(appliance), ...checkUpdates(appliance), ...checkUrls(appliance)];
}

/** Checks the syntax of image names, so that errors are reported before anything is fetched. */
function checkImages({ components = {} }: Fields): FieldProblem[] {
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

function checkUpdates({ version, updates_from: from }: Fields): FieldProblem[] {
  if (!from || !version || semver.lte(from, version)) return [];
  return [
    {
      at: ['updates_from'],
      message: `updates_from ${from} is newer than version ${version}`,
      hint: 'Set it to the oldest version that may update to this one, or remove it.',
    },
  ];
}

/** Checks that programs from outside have a separate URL for each platform. */
function checkUrls({ platforms, compose_plugin: plugin, clients }: Fields): FieldProblem[] {
  if (!platforms || platforms.length < 2) return [];
  return [
    ...checkUrlList(['compose_plugin', 'urls'], plugin?.urls ?? []),
    ...checkUrlList(['clients', 'sing-box', 'urls'], clients?.['sing-box'].urls ?? []),
  ];
}

function checkUrlList(field: readonly string[], urls: readonly string[]): FieldProblem[] {
  return urls.flatMap((url, index) =>
    /\{(?:machine|arch)\}/.test(url)
      ? []
      : [
          {
            at: [...field, index],
            message: `${field.join('.')}[${index}] is the same for every platform`,
            hint: 'Write {machine} instead of x86_64 or aarch64, or {arch} instead of amd64 or arm64.',
          },
        ],
  );
}
