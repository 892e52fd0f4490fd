/**
 * The imports of Pyodide's WebAssembly module that code in the sandbox never reaches, by name: pinned
 * here a second time, so that opening one is never a change of one place. SECURITY.md, "How".
 */

/** Answered with this C error code, whoever calls; nothing behind them is ever called. */
export const refusedImports: readonly (readonly [string, number | null])[] = [
  ["_emscripten_system", -1],
  ["__syscall_socket", -2],
  ["__syscall_connect", -2],
  ["__syscall_bind", -2],
  ["__syscall_listen", -2],
  ["__syscall_accept4", -2],
  ["__syscall_sendto", -2],
  ["__syscall_sendmsg", -2],
  ["__syscall_recvfrom", -2],
  ["__syscall_recvmsg", -2],
  ["__syscall_getsockopt", -2],
  ["__syscall_getsockname", -2],
  ["__syscall_getpeername", -2],
  ["getaddrinfo", -3],
  ["getnameinfo", -3],
  ["getprotobyname", 0],
  ["_emscripten_lookup_name", 0],
  ["_dlopen_js", 0],
  ["_dlsym_js", 0],
  ["_try_fcntl64", 0],
  ["_try_shutdown", 0],
  ["_maybe_connect_async", null],
  ["_maybe_recvfrom_async", null],
  ["_maybe_sendto_async", null],
  ["_maybe_poll_async", null],
];

/** Open while Pyodide starts; a call afterwards is a breach, which ends the interpreter. */
export const bootOnlyImports: readonly string[] = `
  capture_stderr restore_stderr new_error JsvError_Check fail_test JsvError_Throw
  emscripten_asm_const_int raw_call_js hiwire_invalid_ref_js set_pyodide_module
  js2python_immutable_js js2python_js js2python_convert JsProxy_compute_typeflags is_comlink_proxy
  JsvArray_Check JsProxy_GetAttr_js pyproxy_Check JsvFunction_Check handle_next_result_js
  destroy_proxy JsvArray_New destroy_proxies _agen_handle_result_js JsvArray_Get JsvArray_Delete
  JsvArray_Set JsvPromise_Resolve create_promise_handles JsModule_GetAll_js JsvBuffer_assignToPtr
  JsBuffer_get_info Jsv_constructorName can_run_sync_js JsObjMap_GetIter_js JsObjMap_length_js
  JsObjMap_subscript_js JsObjMap_ass_subscript_js JsObjMap_contains_js JsMap_GetIter_js
  JsProxy_GetIter_js JsProxy_GetAsyncIter_js JsProxy_subscript_js Jsv_to_bool JsvPromise_Check
  JsvArray_slice JsvArray_slice_assign destroy_jsarray_entries JsvArray_Extend
  JsvArray_ShallowCopy JsArray_repeat_js JsArray_inplace_repeat_js JsException_new_helper
  JsProxy_Dir_js JsProxy_to_weakref_js get_length_helper get_length_string JsProxy_exit_js
  JsProxy_aexit_js JsvArray_Push JsvArray_Insert pyproxy_AsPyObject JsArray_index_js
  JsvObject_toString JsProxy_DelAttr_js JsProxy_SetAttr_js Jsv_less_than Jsv_less_than_equal
  Jsv_equal Jsv_not_equal Jsv_greater_than Jsv_greater_than_equal JsProxy_Bool_js Jsv_typeof
  JsvObject_Entries JsvObject_Keys JsvObject_Values JsDoubleProxy_unwrap_js create_once_callable
  JsArray_reverse_js JsArray_reversed_iterator JsArray_count_js JsMap_clear_js
  JsvBuffer_assignFromPtr JsBuffer_DecodeString_js JsvBuffer_writeToFile JsvBuffer_readFromFile
  JsvBuffer_intoFile JsvFunction_Construct JsvFunction_CallBound JsvObject_New JsvObject_SetAttr
  my_dict_converter JsvGenerator_Check wrap_generator JsvAsyncGenerator_Check wrap_async_generator
  get_async_js_call_done_callback gc_register_proxies throw_no_gil JsvUTF8ToString proxy_cache_get
  proxy_cache_set set_suspender _pyproxyGen_make_result JsvFunction_Call_OneArg
  _pyproxy_get_buffer_result array_to_js pyproxy_new_ex pyproxy_new _python2js_buffer_inner
  Jsv_GetError_import jslib_init_buffers_js jslib_init_js JsvObject_CallMethod
  JsvObject_CallMethod_NoArgs JsvObject_CallMethod_OneArg JsvObject_CallMethod_TwoArgs
  JsvNoValue_Check JsvBigInt_fromInt JsvNum_fromInt JsvNum_fromDouble JsvNum_toInt
  JsvBigInt_fromDigits Jsv_BigIntToNum JsvMap_New JsvLiteralMap_New JsvMap_Set JsvSet_New
  JsvSet_Add _python2js_cache_lookup python2js__default_converter_js python2js__eager_converter_js
  _python2js_add_to_cache _python2js_addto_postprocess_list python2js_custom__create_jscontext
  _python2js_handle_postprocess_list _JsObject_Set_js _JsArray_PushEntry_helper
  _JsArray_PostProcess_helper _python2js_ascii _python2js_ucs2 _python2js_ucs4 _python2js_ucs1
  destroy_proxies_js pyodide_js_init saveState get_suspender syncifyHandler restoreState
  JsvPromise_Syncify_handleError emscripten_set_up_async_input_device_js emscripten_debugger
  emscripten_log_impl_js ffi_call_js ffi_closure_alloc_js ffi_closure_free_js
  ffi_prep_closure_loc_js __hiwire_deduplicate_new __hiwire_deduplicate_get
  __hiwire_deduplicate_set __hiwire_deduplicate_delete _emscripten_dlopen_js
  emscripten_promise_create emscripten_promise_resolve emscripten_promise_destroy
  _emscripten_log_formatted __call_sighandler
`
  .trim()
  .split(/\s+/);
