/** The parts of CycloneDX's library that an SBOM needs; its validators are half of its loading time. */
export * as Enums from '@cyclonedx/cyclonedx-library/Enums';
export * as Models from '@cyclonedx/cyclonedx-library/Models';
export * as Serialize from '@cyclonedx/cyclonedx-library/Serialize';
export * as SPDX from '@cyclonedx/cyclonedx-library/SPDX';
export * as Spec from '@cyclonedx/cyclonedx-library/Spec';
