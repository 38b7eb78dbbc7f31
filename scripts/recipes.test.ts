import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));
const tree: readonly string[] = globSync(
  ['apps/*/{src,migrations,fleets}/**/*.*', 'packages/*/src/**/*.*', 'docs/access.md'],
  { cwd: root },
);

interface Recipe {
  readonly task: string;
  /** Expression of what exists of the kind, by which its files are found. */
  readonly example: string;
  readonly places: readonly string[];
}

const document = readFileSync(`${root}docs/adding-a-feature.md`, 'utf8');
const recipes: readonly Recipe[] = [...document.matchAll(/^### (.+)\n\n```files as (.+)\n([^`]+)```/gm)].map(
  ([, task = '', example = '', lines = '']) => ({
    task,
    example,
    places: lines
      .trim()
      .split('\n')
      .map((line) => line.split(/\s+/)[0] ?? ''),
  }),
);
const recipeOf = (task: string): Recipe => {
  const recipe = recipes.find((each) => each.task === task);
  if (recipe === undefined) throw new Error(`docs/adding-a-feature.md has no recipe "${task}"`);
  return recipe;
};

/** Of a place with `<what varies>` in it. */
const patternOf = (place: string): RegExp =>
  new RegExp(`^${place.replaceAll('.', '\\.').replaceAll(/<[^>]+>/g, '[^/]+')}$`);

/** Files that the example stands in. */
const filesOf = ({ example }: Recipe): string[] => {
  const words = new RegExp(example);
  return tree.filter((file) => words.test(readFileSync(`${root}${file}`, 'utf8')));
};

test('there are three recipes', () => {
  expect(recipes.map(({ task }) => task)).toEqual([
    'A field of plants',
    'A kind of device',
    'A list screen with a form',
  ]);
});

describe.each(recipes)('$task', (recipe) => {
  test('names files that exist, and that its example stands in', () => {
    // The table of access has the example's calls by their paths.
    const found = [...filesOf(recipe), 'docs/access.md'];
    expect(recipe.places.filter((place) => !found.some((file) => patternOf(place).test(file)))).toEqual([]);
  });
});

test.each([
  [
    'A field of plants',
    /^apps\/(simulator|server\/src\/(demo|install-trend|testing)|web\/src\/handover)\/|\.test\.ts$/,
  ],
  ['A kind of device', /\/testing\/|\.test\.ts$/],
])('%s: the example stands nowhere else', (task, elsewhere) => {
  const recipe = recipeOf(task);
  const beyond = filesOf(recipe).filter(
    (file) => !elsewhere.test(file) && !recipe.places.some((place) => patternOf(place).test(file)),
  );
  expect(beyond).toEqual([]);
});
