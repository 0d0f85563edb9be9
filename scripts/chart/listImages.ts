/** The images that values of the chart name, as registry/repository:tag, each once. An empty tag stands for the version of the app. */
export const listImages = (values: unknown, appVersion: string): readonly string[] => [
  ...new Set(
    listMaps(values).flatMap(({ registry, repository, tag }) =>
      typeof registry === 'string' && typeof repository === 'string' && typeof tag === 'string'
        ? [`${registry}/${repository}:${tag || appVersion}`]
        : [],
    ),
  ),
];

type Values = Readonly<Record<string, unknown>>;

/** A value and all maps within it. */
const listMaps = (value: unknown): readonly Values[] =>
  typeof value === 'object' && value !== null ? [value as Values, ...Object.values(value).flatMap(listMaps)] : [];
