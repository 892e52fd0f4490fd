/** What a study leaves besides its tables of text: `runs.parquet` for notebooks, `report.html` for people. */
import type { StudyResult } from "../../studies/result.ts";
import { studyPage } from "./report/studyPage.ts";
import { runsParquet } from "./runsParquet.ts";
import { STUDY_FILES, write } from "./studyFiles.ts";

/** Throws OutputRefused. */
export function writeStudyReport(folder: string, result: StudyResult): void {
  write(folder, STUDY_FILES.parquet, runsParquet(result));
  write(folder, STUDY_FILES.report, studyPage(result));
}
