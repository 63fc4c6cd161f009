import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Returns a sequencer that runs files in the order of these paths, so that the longest can begin first. */
export function inOrderOf(files: readonly string[]): typeof BaseSequencer {
  const placeOf = ({ moduleId }: TestSpecification) => {
    const place = files.findIndex((file) => moduleId.endsWith(`/${file}`));
    return place === -1 ? files.length : place;
  };
  return class extends BaseSequencer {
    override async sort(found: TestSpecification[]): Promise<TestSpecification[]> {
      return found.toSorted((a, b) => placeOf(a) - placeOf(b));
    }
  };
}
