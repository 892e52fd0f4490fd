import { expect, it } from "vitest";
import { glance } from "../../../src/actors/installs/glance.ts";
import { WARDEN } from "../../../src/machines/installs/addresses.ts";

it("[LD1] a person who watches sees which agents live because they were installed, and their children", () => {
  const born = { id: "rev-0badcafe" };
  const households = {
    alone: { life: "lives", born, children: [] },
    parent: { life: "lives", born, children: ["child-1", "child-2"] },
    ended: { life: "ended", born, children: [] },
    unborn: { life: "lives", born: null, children: [] },
  };

  expect(glance({ [WARDEN]: { households } })).toEqual([
    "installed: alone by rev-0badcafe; parent by rev-0badcafe with child-1, child-2",
  ]);
  expect(glance({ [WARDEN]: { households: { ended: households.ended } } })).toEqual([]);
  expect(glance({})).toEqual([]);
});
