"""Tests that cannot run under wine: the start of each name, from its folder on, by the reason."""

SKIPPED = {
    "a file that is open cannot be replaced by renaming another, nor renamed by a program that opened it as usual": (
        "workspace/test_settings_files.py::test_threads_that_ask_while_files_change_get_one_version_or_the_other",
        "requests/test_following.py::test_nothing_is_lost_or_doubled_while_a_program_writes_and_rotates",
        "requests/test_many_readers.py::test_every_answer_is_one_state[by_rename",
        "workspace/test_reader_errors.py::TestFilesThatChange::test_one_that_is_replaced_or_removed_meanwhile",
    ),
    "a deleted file keeps its name until its last handle is closed": (
        "requests/test_following.py::TestWhatBecomesOfTheFile::test_nothing_that_may_not_be_read_is_ever_followed",
        "requests/test_following.py::TestWhatBecomesOfTheFile::test_one_that_is_removed_is_waited_for",
    ),
    "wine follows links itself: only where one leads is seen, and none that leads nowhere": (
        "workspace/test_sandbox.py::TestLinks::test_cannot_make_a_walk_endless",
        "workspace/test_sandbox.py::TestLinks::test_to_a_file_with_a_slash_behind_it_are_not_found",
        "workspace/test_settings_files.py::test_a_link_to_nowhere_in_the_place_of_no_file_is_noticed",
        "workspace/test_open_documents.py::test_a_document_whose_link_was_turned_is_found_by_the_new_file_s_name",
        "workspace/test_reader.py::TestOrderOfChecks::test_the_sandbox_comes_before_existence",
        "workspace/test_reader.py::TestSecrets::test_an_unsaved_document_is_judged_by_where_its_links_lead",
        "workspace/test_sandbox.py::TestLinks::test_in_a_chain_are_followed_as_far_as_the_kernel_does",
        *(
            f"workspace/test_sandbox.py::TestLinks::test_that_lead_out_are_refused_whether_anything_is_there_or_not[walk-{target}]"
            for target in ("{outside}/does-not-exist", "../outside/../ws/dir/x", "{outside}/../ws/dir/x")
        ),
    ),
    "wine follows a link to the root of the machine, whose name it does not tell: refused, but as INTERNAL": (
        "workspace/test_sandbox.py::TestLinks::test_that_lead_out_are_refused_whether_anything_is_there_or_not[walk-/]",
    ),
    "Windows has other rules for names (workspace/test_windows_names.py)": (
        "workspace/test_suggestions.py::test_a_name_that_cannot_be_shown_is_left_out",
        "workspace/test_location.py::TestRelativePaths::test_are_taken_literally[ x ]",
        "workspace/test_location.py::TestRelativePaths::test_are_taken_literally[http://x]",
        "workspace/test_location.py::TestRelativePaths::test_are_taken_literally[c:\\\\x]",
        "workspace/test_location.py::TestAbsolutePaths::test_are_normalised_before_they_are_judged",
        "workspace/test_location.py::TestFileUris::test_name_any_file_there_is",
        "workspace/test_location.py::TestFaults::test_a_byte_that_is_no_text_can_be_asked_for",
        "workspace/test_location.py::TestFolders::test_a_folder_that_is_no_local_file_uri_is_invalid[file://host/p]",
        "workspace/test_location.py::TestFolders::test_a_uri_of_no_local_file_has_no_path[file://host/p]",
        "workspace/test_sandbox.py::TestFiles::test_a_name_of_any_bytes_is_opened",
    ),
    "the test itself calls, or replaces, what only POSIX has": (
        "workspace/test_reader.py::TestOrderOfChecks::test_kind_comes_before_reading",
        "workspace/test_reader_errors.py::TestFilesThatChange::test_one_that_changes_even_while_its_etag_is_taken_is_given_up_without",
        "workspace/test_reader_errors.py::TestWhatAnErrorTells::test_what_may_not_be_read_is_permission_denied",
        "workspace/test_sandbox.py::TestKinds::test_a_device_without_a_driver_is_no_file",
        "workspace/test_sandbox.py::TestKinds::test_a_fifo_is_no_file_and_nobody_waits_for_it",
        "workspace/test_sandbox.py::TestKinds::test_a_socket_is_no_file",
        "workspace/test_sandbox.py::TestRefusals::test_a_folder_that_may_not_be_entered_is_permission_denied",
        "workspace/test_sandbox.py::TestRefusals::test_too_many_open_files_may_pass",
        "workspace/test_suggestions.py::test_only_regular_files_are_named",
        "terminal/test_exit_codes.py::test_what_the_operating_system_refuses_is_5",
        "terminal/test_exit_codes.py::test_a_current_directory_that_is_gone_is_70",
        "workspace/test_sandbox.py::TestLinks::test_beneath_the_root_of_the_machine_all_stay_inside",
        "workspace/test_sandbox.py::TestRefusals::test_what_the_system_forbids_is_permission_denied",
        "workspace/test_sandbox.py::TestRefusals::test_a_directory_that_may_be_passed_but_not_listed_is_passed",
        "workspace/test_sandbox.py::TestRefusals::test_any_other_fault_is_internal_and_names_no_path",
        "workspace/test_settings_files.py::test_a_file_that_did_not_change_is_not_opened_again",
        "workspace/test_settings_files.py::test_a_file_just_written_is_read_again_but_nothing_changes",
        "workspace/test_settings_files.py::test_a_file_from_the_future_is_never_trusted_to_be_unchanged",
        "terminal/test_doctor.py::test_the_sandbox_is_named_as_it_works_here",
        "workspace/test_reader_errors.py::TestWhatAnErrorTells::test_an_error_of_the_system_names_no_absolute_path",
        "workspace/test_sandbox.py::TestFiles::test_a_path_deeper_than_the_system_takes_at_once_is_opened",
    ),
    "names that are alike are looked for no longer than 0.3 s, which is too short for wine": (
        "lsp/test_editors_capabilities.py::test_an_error_carries_its_data",
    ),
    "compares with grep": ("requests/test_filter.py::test_large_files_are_filtered_as_grep_filters_them",),
    "opens thousands of files, which takes wine minutes": (
        "workspace/test_reader.py::TestWhatAPathMeans::test_any_number_of_paths_may_be_asked_for",
        "tools/test_following.py::test_cursors_of_read_yield_the_whole_file",
    ),
}
